import { gaugeFiles } from "../content/gauge.ts"
import type { UserName } from "../content/people.ts"
import type { People } from "../People.ts"
import { commitTo } from "./repositories.ts"

const params = { username: "brightwater", reponame: "gauge" }
const repository = { owner: "brightwater", name: "gauge" }

interface DemoBranch {
  readonly by: UserName
  readonly branch: string
  readonly message: string
  readonly path: string
  readonly content: string
}

const pull = (index: number) => ({ ...params, index })

/**
 * Creates pull requests in the states that reviewers meet: to review, merged, changes requested, draft, and from a
 * fork.
 */
export const propose = async (people: People): Promise<void> => {
  const shaOf = async (path: string): Promise<string> => {
    const found = await people.mara.forge.repository.contents.read({ params: { ...params, "*": path } })
    return "sha" in found ? found.sha : ""
  }
  const branchOff = async ({ branch, by, content, message, path }: DemoBranch, at: number) => {
    await people[by].forge.repository.branch.create({ params, body: { new_branch_name: branch } })
    const sha = await shaOf(path).catch(() => undefined)
    const existing = new Map(sha === undefined ? [] : [[path, sha]])
    await commitTo(people[by], repository, { by, message, files: { [path]: content } }, { branch, at, existing })
  }
  const open = async (by: UserName, head: string, title: string, body: string) =>
    (await people[by].forge.pull.create({ params, body: { title, head, base: "main", body } })).number

  await branchOff(
    {
      by: "jonas",
      branch: "reject-nan",
      message: "Reject a level that is no number",
      path: "src/readings/reading.ts",
      content: gaugeFiles.checkedReading
    },
    20
  )
  const fix = await open(
    "jonas",
    "reject-nan",
    "Reject a level that is no number",
    "Fixes #1.\n\nThe body of the answer names the field."
  )
  await people.jonas.forge.pull.requestedReviewer.add({ params: pull(fix), body: { reviewers: ["tunde"] } })
  await people.aiko.forge.pull.review.create({
    params: pull(fix),
    body: {
      event: "COMMENT",
      body: "Works with the dashboard.",
      comments: [
        {
          path: "src/readings/reading.ts",
          new_position: 17,
          body: 'Say what was sent:\n\n```suggestion\n  if (typeof level !== "number" || !Number.isFinite(level)) throw new TypeError("`level` must be a finite number")\n```'
        }
      ]
    }
  })

  await branchOff(
    {
      by: "tunde",
      branch: "restore",
      message: "Say how to restore a backup",
      path: "docs/operators.md",
      content: `${gaugeFiles.operators}\n## Restore\n\nCopy the file back and start the service.\n`
    },
    21
  )
  const merged = await open("tunde", "restore", "Say how to restore a backup", "Closes #2.")
  await people.mara.forge.pull.review.create({ params: pull(merged), body: { event: "APPROVED", body: "Thank you!" } })
  await people.mara.forge.pull.merge({
    params: pull(merged),
    body: { Do: "merge", delete_branch_after_merge: true }
  })

  await branchOff(
    {
      by: "aiko",
      branch: "two-in-a-row",
      message: "Raise alerts after two readings",
      path: "src/alerts/rules.ts",
      content: gaugeFiles.rules(2)
    },
    22
  )
  const rejected = await open("aiko", "two-in-a-row", "Raise alerts after two readings", "For #7.")
  await people.jonas.forge.pull.review.create({
    params: pull(rejected),
    body: {
      event: "REQUEST_CHANGES",
      body: "Please make it a setting of the rule.",
      comments: [{ path: "src/alerts/rules.ts", new_position: 11, body: "Which stations need it?" }]
    }
  })

  await branchOff(
    {
      by: "jonas",
      branch: "stream",
      message: "Sketch the stream",
      path: "src/stream.ts",
      content: "export const stream = () => {\n  // to be continued\n}\n"
    },
    23
  )
  await open("jonas", "stream", "WIP: Stream readings", "Part of #3. Not to be reviewed yet.")

  const fork = { username: "wren", reponame: "gauge" }
  await people.wren.forge.repository.contents.edit({
    params: { ...fork, "*": "docs/stations.csv" },
    body: {
      branch: "main",
      message: "Add the stations of Bristol",
      content: Buffer.from(`${gaugeFiles.stations}avon-9,Avon,Bristol,7.5,2025\n`).toString("base64"),
      sha: await shaOf("docs/stations.csv")
    }
  })
  await open("wren", "wren:main", "Add the stations of Bristol", "Measured by volunteers. See #5.")
}
