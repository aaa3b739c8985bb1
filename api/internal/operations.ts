import type { Operation } from "../http/operation.ts";
import { createAccount } from "./accounts/create.ts";
import { getAccount } from "./accounts/read.ts";
import { updateAccount } from "./accounts/update.ts";
import { getUsage } from "./accounts/usage.ts";
import { undoCorrection } from "./corrections/undo.ts";
import { mergeEntity } from "./entities/merge.ts";
import { getInternalEntity } from "./entities/read.ts";
import { saveEntity } from "./entities/save.ts";
import { listInternalJobs } from "./jobs/list.ts";
import { connectChat } from "./chat/connect.ts";
import { disconnectChat } from "./chat/disconnect.ts";
import { createApiKey } from "./keys/create.ts";
import { listApiKeys } from "./keys/list.ts";
import { listReviewQueue } from "./reviews/list.ts";
import { previewReview } from "./reviews/preview.ts";
import { readReview } from "./reviews/read.ts";
import { reviewSteps } from "./reviews/steps.ts";
import { acceptTaughtName, dismissTaughtName, undoTaughtName } from "./taughtNames/decide.ts";
import { listTaughtNames } from "./taughtNames/list.ts";
import { listTaughtNamePlaces, previewTaughtName } from "./taughtNames/places.ts";
import { readTaughtName } from "./taughtNames/read.ts";
import { deleteApiKey, disableApiKey, enableApiKey } from "./keys/setState.ts";

/** Every operation for operators, in the order of their reference. */
export const internalOperations: readonly Operation[] = [
  createAccount,
  getAccount,
  updateAccount,
  getUsage,
  createApiKey,
  listApiKeys,
  disableApiKey,
  enableApiKey,
  deleteApiKey,
  saveEntity,
  getInternalEntity,
  mergeEntity,
  undoCorrection,
  listInternalJobs,
  connectChat,
  disconnectChat,
  listReviewQueue,
  readReview,
  previewReview,
  ...reviewSteps,
  listTaughtNames,
  readTaughtName,
  previewTaughtName,
  listTaughtNamePlaces,
  acceptTaughtName,
  dismissTaughtName,
  undoTaughtName,
];
