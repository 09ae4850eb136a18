#!/bin/sh
# shellcheck disable=SC2034 # for those who take this part
# For the Python of a run: which it is, and what its torch sees of the driver and the cards. The first answers cost nothing; the driver and torch
# itself may take their time, so each is told as soon as it is known.
ask_torch=
[ -z "$LEASEHOLD_PYTHON" ] || ask_torch=$(
  cat <<'PYTHON'
import os, sys
# "-c" looks into the working folder first, where a file of the project may have the name of a module that is asked for here. By hand, since
# "-P" is not there before Python 3.11, and "-I" would leave out what the person has installed. What PYTHONPATH names, "." too, comes before what
# is installed all the same, as it does for the run.
if sys.path[:1] == [""]:
    del sys.path[0]
own = os.path.dirname(getattr(os, "__file__", None) or "")
if own:
    sys.path.insert(0, own)
mark = os.environ["LEASEHOLD_MARK"]
def say(*words):
    text = " ".join(str(word) for word in words).replace("\n", " ")
    sys.stdout.write("\n%s %s\n" % (mark, text[:900]))
    sys.stdout.flush()
say("python", "%d.%d.%d" % sys.version_info[:3])
from importlib.util import find_spec
for name in ("wandb", "huggingface_hub"):
    found = find_spec(name)
    # A folder without a module in it, as wandb leaves one in the project.
    if found and found.has_location:
        say("has", name)
spec = find_spec("torch")
if spec is None or not spec.has_location:
    say("torch", "none")
    sys.exit()
say("torch", "at", spec.origin)
try:
    from ctypes import CDLL, byref, c_int
    cuda, version, count = CDLL("libcuda.so.1"), c_int(0), c_int(0)
    code = cuda.cuInit(0)
    cuda.cuDriverGetVersion(byref(version))
    cuda.cuDeviceGetCount(byref(count))
    say("driver", code, version.value, count.value)
except OSError:
    say("driver", "none")
build = {}
with open(os.path.join(os.path.dirname(spec.origin), "version.py")) as file:
    exec(file.read(), build)
say("build", build.get("__version__"), build.get("cuda"), build.get("hip"))
try:
    import torch
    say("sees", torch.cuda.is_available(), torch.cuda.device_count())
    if torch.cuda.is_available() and torch.version.cuda:
        cards = sorted(set("sm_%d%d" % torch.cuda.get_device_capability(n) for n in range(torch.cuda.device_count())))
        say("cards", ",".join(cards), ",".join(torch.cuda.get_arch_list()))
except Exception as error:
    say("broken", "%s: %s" % (type(error).__name__, error))
PYTHON
)
