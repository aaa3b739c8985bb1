# The API, the workers and the command line, which differ only in the command that docker-compose.yml gives them.
FROM node:24-bookworm-slim

RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates python3 python3-venv \
  && rm -rf /var/lib/apt/lists/*

# The tools change least, so they come first.
COPY requirements.txt /opt/tools/
RUN python3 -m venv /opt/tools && /opt/tools/bin/pip install --no-cache-dir --requirement /opt/tools/requirements.txt
ENV PYTHON=/opt/tools/bin/python

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .

RUN mkdir --parents /data /media && chown node:node /data
ENV NODE_ENV=production MEDIA_INDEX_HOME=/data
USER node
EXPOSE 8080
CMD ["node", "api/main.ts"]
