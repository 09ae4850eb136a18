# Whether this Python's torch loads a file, with weights_only=True, for `verify --python`. Given to the interpreter as text; argv: the file.
# Prints one line of JSON, the last. It ends with whoever started it. Where Linux allows it, it has no network and only disks that are read-only
# (isAlone); everywhere this Python refuses network, programs and writing, which holds what is written in Python and nothing else.
import sys

sys.path = [entry for entry in sys.path if entry]  # not what lies in the current folder

import ctypes, json, os, threading

CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWNET, PR_SET_PDEATHSIG, SIGKILL = 0x20000, 0x10000000, 0x40000000, 1, 9
MOUNT_SETATTR, AT_FDCWD, AT_RECURSIVE, MOUNT_ATTR_RDONLY = 442, -100, 0x8000, 1
PATH = sys.argv[1]


def from_kernel():
    """On Linux: ended with its owner, whatever it is doing, without a network and with read-only disks. True: it is so."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWNS) != 0:
        return False
    # Before Linux 5.12 there is no such call, and the answer is no.
    read_only = (ctypes.c_uint64 * 4)(MOUNT_ATTR_RDONLY, 0, 0, 0)
    at = ctypes.c_char_p(b"/")
    return libc.syscall(MOUNT_SETATTR, AT_FDCWD, at, AT_RECURSIVE, read_only, ctypes.c_size_t(ctypes.sizeof(read_only))) == 0


def end_with_owner():
    while os.read(0, 1):
        pass
    os._exit(3)


is_alone = from_kernel()  # before there is a second thread
threading.Thread(target=end_with_owner, daemon=True).start()


def limit_memory():
    try:
        import resource

        most = 8 * 2**30 + 2 * os.stat(PATH).st_size
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    except (ImportError, ValueError, OSError):
        pass  # Windows, or less is allowed already


def answer(kind, **more):
    line = json.dumps({"kind": kind, "isAlone": is_alone, **more})
    os.write(1, b"\n" + line.encode() + b"\n")  # on a line of its own, whatever torch has printed
    os._exit(0)


def words(cause):
    # Before that, torch advises to load it without weights_only, which would run what it says.
    said = str(cause).split("WeightsUnpickler error: ")[-1]
    return type(cause).__name__ + ": " + " ".join(said.split())[:400]


try:
    import torch
except BaseException as cause:
    answer("no-torch", says=words(cause))

VERSION = str(torch.__version__)[:60]
REFUSED = (
    *("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "os.startfile", "os.kill", "shutil."),
    *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.utime", "os.chmod", "os.chown"),
    *("os.chflags", "os.lockf", "os.setxattr", "os.removexattr", "sqlite3.", "tempfile."),
)


def refuse(event, args):
    if event.startswith(REFUSED):
        raise PermissionError("it wanted " + event)
    if event == "open":
        mode, flags = args[1], args[2]
        writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
        if (isinstance(mode, str) and set(mode) & set("wax+")) or (isinstance(flags, int) and flags & writes):
            raise PermissionError("it wanted to write a file")


limit_memory()
sys.addaudithook(refuse)
try:
    root = torch.load(PATH, map_location="cpu", weights_only=True)
except BaseException as cause:
    refused = type(cause).__name__ == "UnpicklingError"
    answer("refused" if refused else "failed", torch=VERSION, says=words(cause))

tensors, seen, open_values = 0, 0, [root]
while open_values and seen < 1_000_000:
    value = open_values.pop()
    seen += 1
    if isinstance(value, torch.Tensor):
        tensors += 1
    elif isinstance(value, dict):
        open_values.extend(value.values())
    elif isinstance(value, (list, tuple, set)):
        open_values.extend(value)
answer("loads", torch=VERSION, tensors=tensors)
