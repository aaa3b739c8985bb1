"""Times a rival of the gazetteer on the same names and text: rivals.py LIBRARY NAMES TEXT ROUNDS. Prints one JSON object."""
import json
import os
import sys
import time


def resident_bytes():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


library, names_file, text_file, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
with open(text_file) as file:
    text = file.read().lower()

if library == "pyahocorasick":
    import ahocorasick

    before, started = resident_bytes(), time.perf_counter()
    automaton = ahocorasick.Automaton()
    with open(names_file) as file:
        for number, line in enumerate(file):
            name = line.rstrip("\n").lower()
            automaton.add_word(name, (number, len(name)))
    automaton.make_automaton()

    def match():
        """Longest matches over whole words, as the gazetteer's; the library itself finds substrings."""
        found = 0
        for end, (_, length) in automaton.iter_long(text):
            start = end - length + 1
            if (start == 0 or not text[start - 1].isalnum()) and (end + 1 == len(text) or not text[end + 1].isalnum()):
                found += 1
        return found

elif library == "spacy":
    import spacy
    from spacy.matcher import PhraseMatcher
    from spacy.util import filter_spans

    language = spacy.blank("en")
    language.max_length = len(text) + 1
    before, started = resident_bytes(), time.perf_counter()
    matcher = PhraseMatcher(language.vocab)
    with open(names_file) as file:
        matcher.add("name", list(language.tokenizer.pipe(line.rstrip("\n").lower() for line in file)))
    document = language.make_doc(text)

    def match():
        """Matching alone: the text is taken as tokens already."""
        return len(filter_spans(matcher(document, as_spans=True)))

else:
    from flashtext import KeywordProcessor

    before, started = resident_bytes(), time.perf_counter()
    processor = KeywordProcessor()
    with open(names_file) as file:
        for number, line in enumerate(file):
            processor.add_keyword(line.rstrip("\n").lower(), number)

    def match():
        return len(processor.extract_keywords(text))


build_seconds = time.perf_counter() - started
memory = resident_bytes() - before
found = match()
times = []
for _ in range(rounds):
    began = time.perf_counter()
    match()
    times.append((time.perf_counter() - began) * 1000)
print(json.dumps({"buildSeconds": build_seconds, "bytes": memory, "found": found, "milliseconds": times}))
