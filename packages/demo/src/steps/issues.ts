import type { UserName } from "../content/people.ts"
import type { People } from "../People.ts"

interface DemoIssue {
  readonly by: UserName
  readonly title: string
  readonly body: string
  readonly labels?: ReadonlyArray<string>
  readonly milestone?: string
  readonly assignees?: ReadonlyArray<UserName>
  readonly comments?: ReadonlyArray<readonly [by: UserName, body: string]>
  readonly closed?: true
}

const labels = [
  ["bug", "#d73a4a", "Something is wrong"],
  ["feature", "#0e8a16", "Something is missing"],
  ["docs", "#1769aa", "Words"],
  ["good first issue", "#7057ff", "A small change to start with"],
  ["priority/high", "#b60205", "This week"],
  ["priority/low", "#c5def5", "Some day"]
] as const

const issues: ReadonlyArray<DemoIssue> = [
  {
    by: "wren",
    title: "A reading of NaN is stored",
    body: 'A station with an empty battery sends `{"level": NaN}`, and the chart breaks.\n\n```json\n{"station":"avon-2","level":NaN}\n```\n\nExpected: **422** with the name of the field.',
    labels: ["bug", "priority/high"],
    milestone: "1.2",
    assignees: ["jonas"],
    comments: [
      ["jonas", "Confirmed: `typeof NaN` is `number`. I take it.\n\n- [x] reproduce\n- [ ] fix\n- [ ] test"],
      ["mara", "Please fix it before the spring flood. @tunde, how many such lines does the archive have?"],
      ["tunde", "| month | lines |\n|---|---:|\n| March | 14 |\n| April | 3 |\n\nAll of them from Bath."]
    ]
  },
  {
    by: "lucia",
    title: "The guide does not say how to restore a backup",
    body: "It says how to back up. See [the guide](docs/operators.md).",
    labels: ["docs", "good first issue"],
    comments: [["tunde", "I write down what I did in May."]]
  },
  {
    by: "aiko",
    title: "Send readings as a stream",
    body: "The dashboard asks every five seconds. Server-sent events would do.",
    labels: ["feature"],
    milestone: "2.0",
    comments: [
      ["jonas", "How many browsers concurrently?"],
      ["aiko", "About 40, in a flood 400."]
    ]
  },
  {
    by: "tunde",
    title: "The file of readings grows without end",
    body: "4 GB on the server in the north.",
    labels: ["bug"],
    milestone: "1.1",
    closed: true,
    comments: [["jonas", "Rotated every night since 1.1."]]
  },
  {
    by: "wren",
    title: "Support stations of other makers",
    body: "The council of Bristol has 12 of them.",
    labels: ["feature", "priority/low"]
  },
  {
    by: "mara",
    title: "Read this before you open an issue",
    body: "Say which **version** you run, and add the last ten readings.",
    labels: ["docs"]
  },
  {
    by: "jonas",
    title: "Alerts in a flood come too late",
    body: "Three readings in a row take three minutes. Depends on the stream.",
    labels: ["bug"],
    milestone: "2.0",
    assignees: ["jonas", "aiko"]
  }
]

/** Creates labels, milestones and issues with comments, reactions, attachments and tracked times. */
export const discuss = async ({ ...people }: People): Promise<void> => {
  const params = { username: "brightwater", reponame: "gauge" }
  const { forge } = people.mara
  const labelIds = new Map<string, number>()
  for (const [name, color, description] of labels)
    labelIds.set(
      name,
      (await forge.label.create({ params, body: { name, color, description, exclusive: name.includes("/") } })).id
    )
  const milestoneIds = new Map<string, number>()
  for (const [title, due, description] of [
    ["1.1", "2026-09-30T00:00:00Z", "Fewer alerts"],
    ["1.2", "2030-03-31T00:00:00Z", "Before the spring flood"],
    ["2.0", "2030-09-30T00:00:00Z", "Streams"]
  ] as const)
    milestoneIds.set(title, (await forge.milestone.create({ params, body: { title, due_on: due, description } })).id)
  for (const { assignees = [], body, by, closed, comments = [], labels: named = [], milestone, title } of issues) {
    const { number } = await people[by].forge.issue.create({ params, body: { title, body } })
    const index = { ...params, index: number }
    await forge.issue.label.add({ params: index, body: { labels: named.map((name) => labelIds.get(name) ?? 0) } })
    if (milestone !== undefined || assignees.length > 0)
      await forge.issue.edit({
        params: index,
        body: {
          assignees: [...assignees],
          ...(milestone === undefined ? {} : { milestone: milestoneIds.get(milestone) ?? 0 })
        }
      })
    for (const [who, text] of comments)
      await people[who].forge.issue.comment.create({ params: index, body: { body: text } })
    if (closed) await forge.issue.edit({ params: index, body: { state: "closed" } })
  }
  await forge.milestone.edit({ params: { ...params, id: milestoneIds.get("1.1") ?? 0 }, body: { state: "closed" } })
  const first = { ...params, index: 1 }
  await people.aiko.forge.issue.reaction.add({ params: first, body: { content: "+1" } })
  await people.jonas.forge.issue.reaction.add({ params: first, body: { content: "eyes" } })
  await forge.issue.deadline.set({ params: first, body: { due_date: "2030-03-15T00:00:00Z" } })
  await people.jonas.forge.issue.time.create({ params: first, body: { time: 5_400 } })
  await forge.issue.pin({ params: { ...params, index: 6 } })
  await forge.issue.lock({ params: { ...params, index: 6 }, body: { lock_reason: "resolved" } })
  await people.jonas.forge.issue.dependency.add({
    params: { ...params, index: 7 },
    body: { owner: "brightwater", repo: "gauge", index: 3 }
  })
  await people.jonas.forge.issue.edit({
    params: { ...params, index: 3 },
    body: { title: "Send readings as a stream of events" }
  })
  const form = new FormData()
  form.append("attachment", new Blob(["2026-03-02 avon-2 NaN\n"], { type: "text/plain" }), "avon-2.log")
  await people.wren.forge.issue.asset.create({ params: first, body: form })
  for (const [repository, title, by] of [
    ["dashboard", "The map is empty on phones", "wren"],
    ["handbook", "On call in July", "lucia"]
  ] as const)
    await people[by].forge.issue.create({ params: { ...params, reponame: repository }, body: { title, body: "" } })
  await people.tunde.forge.issue
    .create({
      params: { ...params, reponame: "infra" },
      body: { title: "Renew the certificate of the gateway", body: "Until Friday. See brightwater/gauge#1." }
    })
    .result()
  await forge.issue.create({
    params: { ...params, reponame: "infra" },
    body: { title: "Order disks", body: "See brightwater/gauge#4." }
  })
}
