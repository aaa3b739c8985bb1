import { type Command, InvalidArgumentError } from "commander";
import { entityId } from "../../domain/entities.ts";
import { mergeEntities } from "../../services/entities/mergeEntities.ts";
import type { Answer } from "../answer.ts";
import { withContext } from "../context.ts";

export function addEntityCommands(program: Command, answer: Answer): void {
  const entities = program.command("entities").description("put entities right");
  entities
    .command("merge")
    .description(
      "let one entity and all that was merged into it be another; prints which one that is in the end, and how many mentions and commercial rows now read as its own",
    )
    .argument("<from>", "ent_N or N", parseEntityId)
    .argument("<into>", "ent_N or N", parseEntityId)
    .action(
      answer(async (fromId: number, intoId: number) => {
        const { canonicalId, moved } = await withContext(({ pool }) =>
          pool.transaction((transaction) => mergeEntities(transaction, fromId, intoId)),
        );
        return { canonicalId: entityId(canonicalId), moved };
      }),
    );
}

function parseEntityId(text: string): number {
  if (!/^(ent_)?(0|[1-9]\d{0,14})$/.test(text))
    throw new InvalidArgumentError("must be ent_ and a number, or the number alone.");
  return Number(text.replace("ent_", ""));
}
