import type { Send } from "../clients.ts"
import type { People } from "../world.ts"

const params = { username: "brightwater", reponame: "gauge" }

interface Task {
  readonly id: string
  readonly workflowPayload: string
}

/** The part of the runners' protocol that the demo world uses. */
const runnerOf = async (url: string, send: Send, token: string, name: string) => {
  const call = async (method: string, message: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const response = await send(
      new Request(`${url}/api/actions/runner.v1.RunnerService/${method}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(message)
      })
    )
    if (!response.ok) throw new Error(`${method}: ${response.status} ${await response.text()}`)
    // BOUNDARY: answers of the protocol, of which only the named fields are read.
    return (await response.json()) as { readonly runner?: { uuid: string; token: string }; readonly task?: Task }
  }
  const { runner } = await call("Register", { token, name, labels: ["linux:host"], version: "1.0" })
  const headers = { "x-runner-uuid": runner?.uuid ?? "", "x-runner-token": runner?.token ?? "" }
  return {
    next: async (): Promise<Task | undefined> => (await call("FetchTask", {}, headers)).task,
    finish: async ({ id, workflowPayload }: Task, steps: number, isGood: boolean) => {
      const key = Object.keys(
        (JSON.parse(Buffer.from(workflowPayload, "base64").toString()) as { jobs: object }).jobs
      )[0]
      const lines = [
        `\u001b[1mRun ${key}\u001b[0m`,
        "added 84 packages in 3s",
        "\u001b[32m✔\u001b[0m decodes a reading (1.2 ms)",
        isGood ? "\u001b[32m✔\u001b[0m rejects NaN (0.4 ms)" : "\u001b[31m✖\u001b[0m rejects NaN (0.4 ms)",
        isGood ? "all tests passed" : "\u001b[31merror\u001b[0m: expected 422, was 201"
      ]
      const time = new Date().toISOString()
      await call(
        "UpdateLog",
        { taskId: id, index: "0", rows: lines.map((content) => ({ time, content })), noMore: true },
        headers
      )
      const result = isGood ? "RESULT_SUCCESS" : "RESULT_FAILURE"
      const last = steps - 1
      await call(
        "UpdateTask",
        {
          state: {
            id,
            result,
            startedAt: time,
            stoppedAt: time,
            steps: Array.from({ length: steps }, (_, at) => ({
              id: String(at),
              result: at === last ? result : "RESULT_SUCCESS",
              logIndex: String(at === last ? 1 : at),
              logLength: at === last ? String(lines.length - 1) : "1"
            }))
          }
        },
        headers
      )
    }
  }
}

/** The number of runs that the pushes and pull requests of the demo world start. */
const startedRuns = 12

/** Waits until the forge has started the runs of the pushes, which it does in the background. */
const waitForRuns = async ({ mara }: People): Promise<void> => {
  for (let at = 0; at < 600; at++) {
    const found = await mara.forge.repository.actions.run.list({ params })
    if (found.length >= startedRuns) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error("the forge did not start the workflows of the demo world within a minute")
}

/** How many tasks the runner gets; the last one stays in progress, and the other jobs wait. */
const tasks = 29
const failing = 8

/** Makes a runner and the runs of workflows with their logs, secrets, variables, webhooks, statuses and an OAuth2 application. */
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
    if (at < tasks) await runner.finish(task, 2, at !== failing)
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
