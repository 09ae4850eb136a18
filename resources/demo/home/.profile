# A login shell, as tmux starts one, has had PATH set anew by the system: the box's own tools come first again.
PATH="${LEASEHOLD_DEMO_SYS%/*}/bin:$PATH"
case ${BASH-} in ?*) . "$HOME/.bashrc" ;; esac
