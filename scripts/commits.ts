/** Checks the messages of the commits since the base of scripts/commits/rules.json: `node scripts/commits.ts`. */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { type Commit, problemsOf } from "./commits/check.ts"
import rules from "./commits/rules.json" with { type: "json" }

const git = (...args: ReadonlyArray<string>) =>
  spawnSync("git", args, { cwd: join(import.meta.dirname, ".."), encoding: "utf8", maxBuffer: 1 << 28 })

/** Reads commits from `git log --numstat -z` with the format below. */
const commitsSince = (base: string): ReadonlyArray<Commit> => {
  const format = "%x01%H%x02%P%x02%s%x02%b%x02"
  const { status, stderr, stdout } = git("log", "--numstat", `--format=${format}`, `${base}..HEAD`)
  if (status !== 0) throw new Error(stderr)
  return stdout
    .split("\u0001")
    .slice(1)
    .map((text) => {
      const [id = "", parents = "", subject = "", body = "", numstat = ""] = text.split("\u0002")
      const files = [...numstat.matchAll(/^(\d+|-)\t(\d+|-)\t(.+)$/gm)].map(([, added, removed, path = ""]) => ({
        path,
        lines: (Number(added) || 0) + (Number(removed) || 0)
      }))
      return { id, parents: parents.split(" ").length, subject, body, files }
    })
}

if (git("rev-parse", "--git-dir").status !== 0) {
  process.stdout.write("commit messages are not checked: this is no git clone\n")
} else if (git("cat-file", "-e", `${rules.base}^{commit}`).status !== 0) {
  process.stderr.write(`the base commit ${rules.base} is missing: fetch the whole history (git fetch --unshallow)\n`)
  process.exitCode = 1
} else {
  const commits = commitsSince(rules.base)
  const lines = commits.flatMap((commit) =>
    problemsOf(commit).map((problem) => `${commit.id.slice(0, 10)} ${commit.subject}\n  ${problem}\n`)
  )
  process.stdout.write(lines.join(""))
  process.stdout.write(`${commits.length} commits checked, ${lines.length} problems\n`)
  if (lines.length > 0) process.exitCode = 1
}
