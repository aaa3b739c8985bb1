import http from "node:http";
import { Client } from "pg";

/** Stands in for the API where only starting and stopping matters: healthy as long as its database answers. */
const server = http.createServer((request, response) => {
  const answer = async () => {
    const client = new Client({ connectionString: process.env["DATABASE_URL"] });
    try {
      await client.connect();
      await client.query("SELECT 1");
      response.writeHead(request.url === "/v1/health" ? 200 : 404).end();
    } catch {
      response.writeHead(503).end();
    } finally {
      await client.end();
    }
  };
  void answer();
});
server.listen(Number(process.env["PORT"]), process.env["HOST"]);

const end = () => {
  server.close();
  if (process.connected) process.disconnect();
};
process.once("SIGTERM", end);
process.once("disconnect", end);
