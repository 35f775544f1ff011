/** The most lines that the sources of each package may have, without generated files. Raise a number in the commit that needs it. */
export const lineLimits: Readonly<Record<string, number>> = {
  "apps/cli": 3_800,
  "apps/deploy": 700,
  "apps/forge": 950,
  "packages/access": 2_400,
  "packages/avatars": 100,
  "packages/bench": 6_100,
  "packages/blobs": 1_200,
  "packages/buildpacks": 350,
  "packages/caddy": 2_050,
  "packages/client": 400,
  "packages/compose": 1_050,
  "packages/console": 10_250,
  "packages/credentials": 100,
  "packages/demo": 1_450,
  "packages/deploy": 21_400,
  "packages/docker": 3_650,
  "packages/domain": 47_700,
  "packages/egress": 800,
  "packages/embed": 1_100,
  "packages/forge": 32_700,
  "packages/git": 6_900,
  "packages/http": 37_400,
  "packages/language-server": 1_200,
  "packages/mail": 300,
  "packages/markdown": 500,
  "packages/mcp": 800,
  "packages/memory": 12_900,
  "packages/openid": 950,
  "packages/signatures": 872,
  "packages/sql": 19_450,
  "packages/ssh": 950,
  "packages/subprocess": 800,
  "packages/templates": 400,
  "packages/testkit": 33_000,
  "packages/threads": 250,
  "packages/vscode": 400,
  "packages/web": 18_150
}

const isCounted = (path: string) => /^(packages|apps)\/[^/]+\/src\/.*\.ts$/.test(path) && !path.includes("/generated/")

/** Returns the lines of the sources of each package, without generated files. */
export const linesOf = (files: ReadonlyMap<string, string>): ReadonlyMap<string, number> => {
  const lines = new Map<string, number>()
  for (const [path, text] of files) {
    if (!isCounted(path)) continue
    const name = path.split("/").slice(0, 2).join("/")
    lines.set(name, (lines.get(name) ?? 0) + text.split("\n").length - 1)
  }
  return lines
}

/** Returns the problems of packages that exceed their limit or have none. */
export const overLimit = (
  lines: ReadonlyMap<string, number>,
  limits: Readonly<Record<string, number>> = lineLimits
): ReadonlyArray<string> =>
  [...lines].flatMap(([name, count]) => {
    const limit = limits[name]
    if (limit === undefined) return [`${name} has no limit of lines: add it to scripts/architecture/lines.ts`]
    return count > limit
      ? [
          `${name} has ${count} lines, more than ${limit}: remove code, or raise its limit in scripts/architecture/lines.ts`
        ]
      : []
  })
