"""A video platform on loopback for the tests: `videoPlatform.ts` serves what this extractor reads."""

import urllib.parse

from yt_dlp.extractor.common import InfoExtractor
from yt_dlp.utils import ExtractorError


class LoopbackVideoIE(InfoExtractor):
    _VALID_URL = r"http://127\.0\.0\.1:\d+/watch\?v=(?P<id>[A-Za-z0-9_-]{11})"

    def _real_extract(self, url):
        video_id = self._match_id(url)
        video = self._download_json(urllib.parse.urljoin(url, f"/api/videos/{video_id}"), video_id)
        if "refusal" in video:
            self.raise_no_formats(video["refusal"], expected=True, video_id=video_id)
        if "geo" in video:
            self.raise_geo_restricted(countries=video["geo"])
        if "error" in video:
            raise ExtractorError(video["error"], expected=True, video_id=video_id)
        return video["info"] if "info" in video else {"id": video_id, "title": video_id, "formats": []}


class LoopbackChannelIE(InfoExtractor):
    _VALID_URL = r"http://127\.0\.0\.1:\d+/channel/(?P<id>[\w.-]+)/videos"

    def _real_extract(self, url):
        channel_id = self._match_id(url)
        feed = self._download_json(urllib.parse.urljoin(url, f"/api/channels/{channel_id}"), channel_id)
        if "error" in feed:
            raise ExtractorError(feed["error"], expected=True)
        entries = [self.url_result(urllib.parse.urljoin(url, f"/watch?v={entry['id']}"), LoopbackVideoIE, entry["id"], **{k: v for k, v in entry.items() if k != "id"}) for entry in feed["entries"]]
        return self.playlist_result(entries, channel_id)
