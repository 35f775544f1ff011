import type { Send } from "../clients.ts"

/** A job that a runner has fetched from the forge. */
export interface Task {
  readonly id: string
  readonly workflowPayload: string
}

/** Registers a runner, and returns a client for the part of the runner protocol that the demo world uses. */
export const runnerOf = async (url: string, send: Send, token: string, name: string) => {
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
    /**
     * Finishes a job. All steps succeed, except the last step of a failed job. The last step contains all log lines
     * except the first.
     */
    finish: async ({ id }: Task, steps: number, isGood: boolean, lines: ReadonlyArray<string>) => {
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
