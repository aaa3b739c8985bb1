import type { ConsoleRoute } from "../route.ts";
import { alertsPage } from "./alertsPage.ts";
import { attemptsPage } from "./attemptsPage.ts";
import { monitorsPage } from "./listPage.ts";
import { monitorPage } from "./readPage.ts";
import { redeliverAlert, redeliverSpan } from "./redeliver.ts";
import { trackersPage } from "./trackersPage.ts";

export const monitorRoutes: readonly ConsoleRoute[] = [
  { id: "consoleMonitors", method: "get", path: "/monitors", answer: monitorsPage },
  { id: "consoleMonitor", method: "get", path: "/monitors/:monitor_id", answer: monitorPage },
  { id: "consoleTrackers", method: "get", path: "/monitors/:monitor_id/trackers", answer: trackersPage },
  { id: "consoleAlerts", method: "get", path: "/monitors/:monitor_id/alerts", answer: alertsPage },
  { id: "consoleAttempts", method: "get", path: "/monitors/:monitor_id/attempts", answer: attemptsPage },
  {
    id: "consoleRedeliverAlert",
    method: "post",
    path: "/monitors/:monitor_id/alerts/:alert_id/redeliver",
    answer: redeliverAlert,
  },
  { id: "consoleRedeliverSpan", method: "post", path: "/monitors/:monitor_id/redeliver", answer: redeliverSpan },
];
