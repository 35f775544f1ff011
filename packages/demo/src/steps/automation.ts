import type { Send } from "../clients.ts"
import type { People } from "../People.ts"
import { runnerOf, type Task } from "./runner.ts"

const params = { username: "brightwater", reponame: "gauge" }

/** The number of workflow runs that the pushes and pull requests of the demo world start. */
const startedRuns = 12

/** Waits until the forge has started the workflow runs of the pushes, which it does in the background. */
const waitForRuns = async ({ mara }: People): Promise<void> => {
  for (let at = 0; at < 600; at++) {
    const found = await mara.forge.repository.actions.run.list({ params })
    if (found.length >= startedRuns) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error("the forge did not start the workflows of the demo world within a minute")
}

/** The number of tasks that the demo runner gets. The last task stays in progress, and the remaining jobs wait. */
const tasks = 29
const failing = 8

const logOf = ({ workflowPayload }: Task, isGood: boolean): ReadonlyArray<string> => {
  // BOUNDARY: the workflow of the demo world, reduced to one job.
  const { jobs } = JSON.parse(Buffer.from(workflowPayload, "base64").toString()) as { readonly jobs: object }
  return [
    `\u001b[1mRun ${Object.keys(jobs)[0]}\u001b[0m`,
    "added 84 packages in 3s",
    "\u001b[32m✔\u001b[0m decodes a reading (1.2 ms)",
    isGood ? "\u001b[32m✔\u001b[0m rejects NaN (0.4 ms)" : "\u001b[31m✖\u001b[0m rejects NaN (0.4 ms)",
    isGood ? "all tests passed" : "\u001b[31merror\u001b[0m: expected 422, was 201"
  ]
}

/**
 * Creates a runner, and workflow runs with logs, secrets, variables, webhooks, commit statuses and an OAuth2
 * application.
 */
export const automate = async (people: People, url: string, send: Send): Promise<void> => {
  const { forge } = people.mara
  await waitForRuns(people)
  await forge.repository.actions.workflow.dispatch({
    params: { ...params, workflow_id: "release.yml" },
    body: { ref: "main", inputs: { version: "1.1.0", channel: "stable", notify: "true" } }
  })
  const { token } = await forge.organization.actions.runner.registrationToken.create({ params: { org: "brightwater" } })
  const runner = await runnerOf(url, send, token, "north-1")
  for (let at = 1; at <= tasks; at++) {
    const task = await runner.next()
    if (task === undefined) throw new Error(`the runner of the demo world got ${at - 1} tasks instead of ${tasks}`)
    if (at < tasks) await runner.finish(task, 2, at !== failing, logOf(task, at !== failing))
  }
  await forge.repository.actions.secret.set({
    params: { ...params, secretname: "NPM_TOKEN" },
    body: { data: "npm_demo" }
  })
  await forge.repository.actions.variable.create({
    params: { ...params, variablename: "REGION" },
    body: { value: "north", description: "Where it runs" }
  })
  const hook = await forge.repository.hook.create({
    params,
    body: {
      type: "gitea",
      config: { url: "https://chat.brightwater.example/forge", content_type: "json" },
      events: ["push", "issues"]
    }
  })
  await forge.repository.hook.test({ params: { ...params, id: hook.id } })
  await forge.organization.hook.create({
    params: { org: "brightwater" },
    body: {
      type: "gitea",
      config: { url: "https://audit.brightwater.example", content_type: "json" },
      events: ["push"]
    }
  })
  const statistics = {
    type: "gitea",
    config: { url: "https://statistics.brightwater.example", content_type: "json" },
    events: ["push"]
  } as const
  await people.root.forge.admin.hook.create({ body: statistics })
  await forge.account.hook.create({ body: statistics })
  const [head] = await forge.repository.commit.list({ params, query: { limit: 1 } })
  await forge.repository.status.create({
    params: { ...params, sha: head?.sha ?? "" },
    body: { state: "success", context: "coverage", description: "94 % of the lines" }
  })
  await people.aiko.forge.account.oauth2Application.create({
    body: {
      name: "Dashboard",
      redirect_uris: ["https://dashboard.brightwater.example/callback"],
      confidential_client: true
    }
  })
}
