"""Fetches pip from the package index into the folder given, for a Python that came without it. Prints the wheel's path."""

import hashlib
import os
import re
import sys
from urllib.parse import urljoin
from urllib.request import urlopen

WHEEL = "pip-26.3-py3-none-any.whl"
SHA256 = "f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13"

index = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/") + "/pip/"
page = urlopen(index, timeout=60).read().decode()
link = re.search(r'href="([^"#]*/' + re.escape(WHEEL) + r')["#]', page)
if link is None:
    sys.exit(f"{index} does not have {WHEEL}")
wheel = urlopen(urljoin(index, link.group(1)), timeout=60).read()
if hashlib.sha256(wheel).hexdigest() != SHA256:
    sys.exit(f"{WHEEL} is not what it should be")
path = os.path.join(sys.argv[1], WHEEL)
with open(path, "wb") as file:
    file.write(wheel)
print(path)
