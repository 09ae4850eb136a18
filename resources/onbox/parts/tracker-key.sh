#!/bin/sh
# shellcheck disable=SC2034 # for those who take this part
# For the Python of a run that reports to wandb: whether the server that the run would ask takes the key that the run would send. It chooses
# both as wandb itself does: by the environment, its settings files, the package's own default, and ~/.netrc.
# Where a push may bring or remove settings of the folder, the server is not certain, and none is asked.
# SECURITY: the key goes to that server alone, over TLS or within this machine, past no redirect, and nothing of it or of what is answered
# is told. Prints "<mark> key <taken|refused|none|offline|unasked|unanswered> <server>".
ask_key=
[ "$LEASEHOLD_TRACKER" != wandb ] || ask_key=$(
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
import base64, configparser, importlib.util, json, netrc, re, ssl
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, ProxyHandler, Request, build_opener, getproxies, proxy_bypass
from urllib.error import HTTPError
environ = os.environ
def end(word, host=""):
    host = re.sub(r"[^\w.:\[\]-]", "?", host)[:200]
    sys.stdout.write("\n%s key %s %s\n" % (environ["LEASEHOLD_MARK"], word, host))
    sys.stdout.flush()
    os._exit(0)
def text_of(*path):
    try:
        with open(os.path.join(*path), encoding="utf-8", errors="replace") as file:
            return file.read(4000000)
    except OSError:
        return ""
def settings_in(*path):
    parser = configparser.ConfigParser()
    try:
        parser.read_string(text_of(*path))
        return dict(parser.items("default"))
    except configparser.Error:
        return {}
# What a push or a download brings or removes may name another server, also in a folder that the environment names. Where they do neither, a
# folder that is not there yet has no settings; but what runs before the command may find in it what chooses the key.
beside = environ.get("LEASEHOLD_BESIDE")
pushed = environ.get("LEASEHOLD_WRITES") == "yes"
named_folder = environ.get("WANDB_DIR") or environ.get("WANDB_CONFIG_DIR")
certain = environ.get("LEASEHOLD_SETTLED") == "yes" and not (named_folder if pushed else beside)
if beside and (not certain or environ.get("LEASEHOLD_ACTIVATE")):
    end("unasked")
root = os.path.expanduser(environ.get("WANDB_DIR") or os.getcwd())
config = os.path.expanduser(environ.get("WANDB_CONFIG_DIR") or "~/.config/wandb")
settings = settings_in(config, "settings")
if not beside:
    settings.update(settings_in(root, ".wandb" if os.path.exists(os.path.join(root, ".wandb")) else "wandb", "settings"))
if (environ.get("WANDB_MODE") or certain and settings.get("mode") or "").lower() in ("offline", "disabled", "dryrun"):
    end("offline")
named = environ.get("WANDB_BASE_URL") or certain and settings.get("base_url")
if not named and not certain:
    end("unasked")
def own_default():
    spec = importlib.util.find_spec("wandb")
    at = os.path.dirname(spec.origin) if spec and spec.origin else ""
    if not at:
        end("unasked")
    for path, said in (("sdk/lib/urls.py", r'^DEFAULT_BASE_URL = "(https://[^"]+)"'), ("sdk/wandb_settings.py", r'\bbase_url\W.{0,80}?"(https://[^"]+)"')):
        found = re.search(said, text_of(at, path), re.M | re.S)
        if found:
            return found.group(1)
    end("unasked")
base = (named or own_default()).strip().rstrip("/")
try:
    url = urlsplit(base)
    host, place, _ = url.hostname or "", url.netloc, url.port
except ValueError:
    end("unasked")
# What wandb refuses or rewrites is not guessed at.
odd = url.username is not None or url.query or url.fragment or url.scheme not in ("http", "https") or not re.match(r"^[\w.:-]+$", host)
if odd or host.endswith("forge.coreweave.com") and url.path or re.match(r".*wandb\.ai[^.]*$", base) and ("api." not in base or url.scheme != "https"):
    end("unasked", host)
if url.scheme == "http" and (host not in ("127.0.0.1", "::1", "localhost") or "http" in getproxies() and not proxy_bypass(host)):
    end("unasked", place)
key = environ.get("WANDB_API_KEY", "")
if "WANDB_API_KEY" in environ.get("LEASEHOLD_SECRETS", "").split():
    key = text_of(os.path.expanduser("~/.config/leasehold/WANDB_API_KEY")).rstrip("\n")
if environ.get("WANDB_IDENTITY_TOKEN_FILE"):
    end("unasked", place)
if not key:
    files = [environ["NETRC"]] if environ.get("NETRC") else ["~/.netrc", "~/_netrc"]
    file = next((each for each in map(os.path.expanduser, files) if os.path.exists(each)), None)
    try:
        hosts = netrc.netrc(file).hosts if file else {}
    except (netrc.NetrcParseError, OSError, ValueError):
        end("unasked", place)
    # An entry for every host is nobody's key for this one.
    entry = hosts.get(place)
    key = (entry and entry[2]) or ""
    # Older releases of wandb leave the port out of an entry.
    if not key and (not certain or "default" in hosts or host != place and host in hosts or settings.get("api_key") or host.endswith(".coreweave.com") and "api.wandb.ai" in hosts):
        end("unasked", place)
if not key:
    end("none", place)
# Such a key is for a server of the person's own.
if key.startswith("local-") and (not named or host == "api.wandb.ai"):
    end("unasked", place)
class Stay(HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None
try:
    trust = environ.get("REQUESTS_CA_BUNDLE") or environ.get("SSL_CERT_FILE")
    if not trust:
        try:
            import certifi
            trust = certifi.where()
        except ImportError:
            trust = None
    # What is not encrypted takes no proxy: whether one is passed by is asked in other words than urllib does it in.
    direct = [ProxyHandler({})] if url.scheme == "http" else []
    opener = build_opener(Stay, *direct, HTTPSHandler(context=ssl.create_default_context(cafile=trust)))
    as_who = "Bearer " + key if key.startswith("wb_at_") else "Basic " + base64.b64encode(("api:" + key).encode()).decode()
    question = Request(base + "/graphql", b'{"query":"query Viewer { viewer { id } }"}', {"Content-Type": "application/json", "Authorization": as_who})
    with opener.open(question, timeout=float(environ.get("LEASEHOLD_PATIENCE_S") or 1.5)) as answer:
        viewer = json.loads(answer.read(65536).decode())["data"]["viewer"]
    end("refused" if viewer is None else "taken" if viewer.get("id") else "unanswered", place)
except HTTPError as error:
    end("refused" if error.code == 401 else "unanswered", place)
except Exception:
    end("unanswered", place)
PYTHON
)
