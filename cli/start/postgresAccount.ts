import { execFile, spawnSync } from "node:child_process";
import { chownSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { findExecutables } from "./executables.ts";

const execute = promisify(execFile);

/** Postgres refuses to run as root. This is how its programs are started, and who owns its files. */
export interface PostgresAccount {
  /** Undefined: the present user, who is not root. */
  owner: { uid: number; gid: number } | undefined;
  /** The command and arguments to spawn, and as whom. */
  command(program: string, args: readonly string[]): PostgresCommand;
  /** Hands a file or folder to the account. */
  own(file: string): void;
}

interface PostgresCommand {
  program: string;
  args: string[];
  identity: { uid?: number; gid?: number };
}

/**
 * Chooses the account: the present user, or for root the owner of existing data, else `postgres` (made when missing), else `nobody`.
 * `mustEnter` are files or folders that it has to reach. Throws when it cannot and nothing can be done about it.
 */
export async function choosePostgresAccount(
  dataFolder: string,
  mustEnter: readonly string[],
): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) return presentUser;
  const owner =
    ownerOf(dataFolder) ?? (await idsOf("postgres")) ?? (await createSystemUser("postgres")) ?? (await idsOf("nobody"));
  if (!owner) throw new Error("Postgres does not run as root, and there is no user postgres or nobody to run it as");
  const own = (file: string) => chownSync(file, owner.uid, owner.gid);
  const plain: PostgresAccount = {
    owner,
    own,
    command: (program, args) => ({ program, args: [...args], identity: owner }),
  };
  if (reaches(plain, mustEnter)) return plain;
  const capable: PostgresAccount = {
    owner,
    own,
    command: (program, args) => withFolderRights(owner, program, args),
  };
  if (reaches(capable, mustEnter)) return capable;
  throw new Error(
    `Postgres runs as user ${owner.uid}, who cannot enter the folders above ${mustEnter.join(" or ")}: move them, or allow it (chmod o+x)`,
  );
}

const presentUser: PostgresAccount = {
  owner: undefined,
  own: () => undefined,
  command: (program, args) => ({ program, args: [...args], identity: {} }),
};

/**
 * Root's clone may lie in a folder that nobody else may enter (/root). The account then keeps one right of root: to pass folders.
 * `no_setuid_fixup` lets access(2) honour it, with which Postgres checks its own programs.
 */
function withFolderRights(
  owner: { uid: number; gid: number },
  program: string,
  args: readonly string[],
): PostgresCommand {
  const setpriv = findExecutables(["setpriv"])[0] ?? "setpriv";
  const rights = ["--securebits=+no_setuid_fixup", "--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
  return {
    program: setpriv,
    args: [...rights, `--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups", "--", program, ...args],
    identity: {},
  };
}

function reaches(account: PostgresAccount, files: readonly string[]): boolean {
  const { program, args, identity } = account.command("/bin/sh", [
    "-c",
    'for file; do test -x "$file" || exit 1; done',
    "sh",
    ...files,
  ]);
  return spawnSync(program, args, { ...identity, cwd: "/", stdio: "ignore" }).status === 0;
}

function ownerOf(folder: string): { uid: number; gid: number } | undefined {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : undefined;
}

async function idsOf(user: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const [uid, gid] = await Promise.all([execute("id", ["-u", user]), execute("id", ["-g", user])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

async function createSystemUser(user: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    await execute("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin", user]);
  } catch {
    return undefined;
  }
  return idsOf(user);
}
