/** Stands in for a worker where only starting and stopping matters: lives until it is told to end or its starter is gone. */
const idle = setInterval(() => undefined, 60_000);
const end = () => clearInterval(idle);
process.once("SIGTERM", () => {
  end();
  if (process.connected) process.disconnect();
});
process.once("disconnect", end);
