# Whether this Python's torch loads a file, with weights_only=True, for `verify --python`. Given to the interpreter as text; argv: the file.
# Prints one line of JSON at its end. It has no network, starts nothing, writes nothing, and ends with whoever started it.
import sys

sys.path = [entry for entry in sys.path if entry]  # not what lies in the current folder

import ctypes, json, os, threading

CLONE_NEWUSER, CLONE_NEWNET, PR_SET_PDEATHSIG, SIGKILL = 0x10000000, 0x40000000, 1, 9
PATH = sys.argv[1]


def from_kernel():
    """On Linux: ended with its owner, whatever it is doing, and without a network. True: it has none."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)
    return libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0


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
    os.write(1, line.encode() + b"\n")
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
REFUSED = ("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "os.startfile", "os.remove", "os.rename")


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
