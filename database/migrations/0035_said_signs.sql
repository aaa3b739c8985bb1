-- Up Migration

-- Whether a text has signs that said_words does not part, of scripts that are written without spaces: Thai, Lao, Khmer, Myanmar, and those of
-- Han and kana that stand apart from the rest (〇, 々, ㇰ, extensions). Compatibility forms of them (UAX #15) are in these ranges too.
create function has_signs(said text) returns boolean language sql immutable parallel safe strict
  return said ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u3005-\u3007\u3021-\u303f\u31f0-\u31ff\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\U000116d0-\U000116ff\U00016fe0-\U00016fff\U0001aff0-\U0001b16f\U00020000-\U0003ffff]';

-- The words of a segment as said_words has them, but each of these signs a word of its own (domain/spokenWords.ts).
create function said_signs(said text) returns text[] language sql immutable parallel safe strict
  return said_words(regexp_replace(normalize(said, nfkc),
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u19e0-\u19ff\u3005-\u3007\u3021-\u303f\u31f0-\u31ff\ua9e0-\ua9ff\uaa60-\uaa7f\uf900-\ufaff\U000116d0-\U000116ff\U00016fe0-\U00016fff\U0001aff0-\U0001b16f\U00020000-\U0003ffff])',
    ' \1 ', 'g'));

-- Only of the segments that have such signs: what said_words makes of all others stays as it is, and nothing of it is indexed anew.
create index transcript_segment_signs on transcript_segment using gin (said_signs(text)) where has_signs(text);

-- Down Migration

drop index transcript_segment_signs;
drop function said_signs, has_signs;
