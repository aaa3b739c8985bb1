"""One faster-whisper call, with the engine's own settings, on a range of a PCM file: PCM START_SECONDS END_SECONDS."""

import json
import os
import resource
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "adapters", "speech"))
import engine  # noqa: E402

path, start, end = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
model = engine.load_model("bundled")
began = time.monotonic()
answer = engine.recognise(model, {"pcmPath": path, "startSeconds": start, "endSeconds": end, "language": "en"})
seconds = time.monotonic() - began
kibibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
text = "".join(word["text"] for word in answer["words"]).strip()
print(json.dumps({"seconds": seconds, "peakMemoryBytes": kibibytes * 1024, "text": text}))
