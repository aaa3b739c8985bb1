import { z } from "zod";
import { ApiError, errorCatalog } from "../../../domain/errors.ts";
import type { Acceptance } from "../../../services/teaching/decide.ts";
import { takeNameStep, type NameStep } from "../../../services/teaching/takeNameStep.ts";
import { readFields, several } from "../fields.ts";
import type { ConsoleAnswer, ConsoleAsked, ConsolePage, ConsoleRoute } from "../route.ts";
import { type Choice, nothingChosen, scopes } from "./decide.ts";
import { nameOf, namePage } from "./name.ts";
import { undoPage } from "./undo.ts";
import { namesPath } from "./words.ts";

const acceptForm = z.strictObject({
  alias: z.literal("yes").optional(),
  scope: z.enum(scopes),
  video: several(z.string().regex(/^[A-Za-z0-9_-]{11}$/, "must be the 11-character id of a video")).optional(),
});
const noFields = z.strictObject({});

/** Accepts a name as it is filled in; where that cannot be, what was filled in stays on the page, with the reason. */
export const acceptRoute: ConsoleRoute = {
  id: "consoleNameAccept",
  method: "post",
  path: "/names/:nameId/accept",
  async answer(asked) {
    const { alias, scope, video: videoIds = [] } = readFields(acceptForm, asked.form);
    const choice: Choice = { withAlias: alias !== undefined, scope, videoIds };
    return take(asked, {
      step: () => ({ kind: "accept", acceptance: acceptanceOf(choice) }),
      done: "Accepted",
      refused: (problem) => namePage(asked, { problem, choice }),
    });
  },
};

export const dismissRoute: ConsoleRoute = {
  id: "consoleNameDismiss",
  method: "post",
  path: "/names/:nameId/dismiss",
  async answer(asked) {
    readFields(noFields, asked.form);
    return take(asked, {
      step: () => ({ kind: "dismiss" }),
      done: "Dismissed",
      refused: (problem) => namePage(asked, { problem, choice: nothingChosen }),
    });
  },
};

export const undoRoute: ConsoleRoute = {
  id: "consoleNameUndo",
  method: "post",
  path: "/names/:nameId/undo",
  async answer(asked) {
    readFields(noFields, asked.form);
    return take(asked, {
      step: () => ({ kind: "undo" }),
      done: "Undone",
      refused: (problem) => undoPage(asked, problem),
    });
  },
};

interface Taken {
  step: () => NameStep;
  done: string;
  /** The page that says why it was not taken. */
  refused: (problem: string) => Promise<ConsolePage>;
}

async function take(asked: ConsoleAsked, { step, done, refused }: Taken): Promise<ConsoleAnswer> {
  const id = nameOf(asked);
  try {
    const { isRepeat } = await takeNameStep(asked.context, id, step(), asked.session.keyId);
    return { redirect: `${namesPath}/${id}`, flash: isRepeat ? `${done} before: nothing changed.` : `${done}.` };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === "taught_name_not_found") throw error;
    return { page: await refused(error.message), status: errorCatalog[error.code].status };
  }
}

function acceptanceOf({ withAlias, scope, videoIds }: Choice): Acceptance {
  switch (scope) {
    case "all":
      return { withAlias, videoIds: null };
    case "chosen":
      if (videoIds.length === 0) throw new ApiError("invalid_query", "Tick at least one video, or choose all.");
      return { withAlias, videoIds };
    case "none":
      if (!withAlias) throw new ApiError("invalid_query", "Neither alias nor videos: then there is nothing to accept.");
      return { withAlias, videoIds: [] };
  }
}
