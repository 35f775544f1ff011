import { spawn } from "node:child_process"
import { join } from "node:path"
import type { Readable, Writable } from "node:stream"

interface Message {
  readonly id?: number
  readonly result?: Record<string, unknown>
  readonly error?: { readonly message: string }
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly sessionId?: string
}

/** Returns the error in a DevTools message: a script error or a violation of the content security policy. */
const problemIn = ({ method, params }: Message): string | undefined => {
  if (method === "Runtime.exceptionThrown") return JSON.stringify(params?.exceptionDetails)
  if (method === "Runtime.consoleAPICalled" && params?.type === "error") return JSON.stringify(params.args)
  if (method !== "Log.entryAdded") return undefined
  const { entry } = params as {
    readonly entry: { readonly level: string; readonly text: string; readonly url?: string }
  }
  return entry.level === "error" ? `${entry.url}: ${entry.text}` : undefined
}

/** Opens a tab of headless Chromium, controlled by its DevTools protocol over a pipe; its profile is in a directory. */
export const openChromium = async (directory: string) => {
  const child = spawn(
    "chromium",
    [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-extensions",
      "--disable-dev-shm-usage",
      "--no-first-run",
      "--window-size=1280,900",
      `--user-data-dir=${join(directory, "chromium")}`,
      "--remote-debugging-pipe"
    ],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] }
  )
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const input = child.stdio[3] as Writable
  const output = child.stdio[4] as Readable
  const waiting = new Map<number, (message: Message) => void>()
  const loaded: Array<() => void> = []
  const problems: Array<string> = []
  let rest = ""
  let last = 0
  output.setEncoding("utf8").on("data", (text: string) => {
    const parts = `${rest}${text}`.split("\0")
    rest = parts.pop() ?? ""
    for (const part of parts) {
      const message = JSON.parse(part) as Message
      if (message.id !== undefined) waiting.get(message.id)?.(message)
      if (message.method === "Page.loadEventFired") for (const each of loaded.splice(0)) each()
      const problem = problemIn(message)
      if (problem !== undefined) problems.push(problem)
    }
  })
  let sessionId: string | undefined
  const send = (method: string, params: Record<string, unknown> = {}) => {
    last += 1
    const id = last
    input.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`)
    return new Promise<Record<string, unknown>>((resolve, reject) => {
      waiting.set(id, ({ error, result = {} }) =>
        error === undefined ? resolve(result) : reject(new Error(`${method}: ${error.message}`))
      )
      void ended.then(() => reject(new Error("Chromium ended")))
    })
  }
  const { targetId } = await send("Target.createTarget", { url: "about:blank" })
  sessionId = String((await send("Target.attachToTarget", { targetId, flatten: true })).sessionId)
  for (const domain of ["Page", "Runtime", "Log"]) await send(`${domain}.enable`)

  const evaluate = async (expression: string): Promise<unknown> => {
    const { result } = await send("Runtime.evaluate", { expression, returnByValue: true })
    return (result as { readonly value?: unknown }).value
  }
  /** Runs an action, and waits until the browser has loaded a new page. */
  const leadingTo = async (act: () => Promise<unknown>) => {
    const load = new Promise<void>((resolve) => loaded.push(resolve))
    await act()
    await load
  }
  /** Waits until a JavaScript expression is true on the page. */
  const until = async (condition: string): Promise<void> => {
    const end = performance.now() + 40_000
    while ((await evaluate(condition)) !== true) {
      if (performance.now() > end) throw new Error(`it never came true: ${condition}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  /** Types into the focused field. */
  const write = (text: string) => send("Input.insertText", { text })
  return {
    send,
    evaluate,
    until,
    /** The script errors and content security policy violations of all pages so far. */
    problems,
    go: (url: string) => leadingTo(() => send("Page.navigate", { url })),
    write,
    /** Types into a field of the page, like a user. */
    type: async (selector: string, text: string) => {
      const field = `document.querySelector(${JSON.stringify(selector)})`
      await until(`${field} !== null && (${field}.focus(), document.activeElement === ${field})`)
      await write(text)
    },
    /** Clicks a link or button that opens another page. */
    click: (selector: string) =>
      leadingTo(() => evaluate(`document.querySelector(${JSON.stringify(selector)}).click()`)),
    text: async () => String(await evaluate("document.body.innerText")),
    end: async () => {
      child.kill("SIGKILL")
      await ended
    }
  }
}

/** A tab of headless Chromium. */
export type Chromium = Awaited<ReturnType<typeof openChromium>>
