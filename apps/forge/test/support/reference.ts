import type { Chromium } from "@slipway/http/testing"

/** The credentials on a reference page. */
interface Credential {
  readonly name?: string
  readonly token: string
}

/** Finds an element by its text, without a layout: the pages are long. */
const first = (selector: string, pattern: string) =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].find(({ textContent }) => ${pattern}.test(textContent))`

const escaped = (text: string) => text.replaceAll("/", "\\/")

/** Goes from the page of a service to its reference, searches a read operation, runs it, and returns the response. */
export const tryReading = async (chromium: Chromium, base: string, path: string, { name, token }: Credential) => {
  const { click, evaluate, go, text, type, until, write } = chromium
  const press = async (selector: string, pattern: string): Promise<string> => {
    const found = first(selector, pattern)
    await until(`${found} !== undefined`)
    const said = await evaluate(`${found}.textContent`)
    await evaluate(`${found}.click()`)
    return String(said)
  }
  await go(base)
  const home = await text()
  await click("a[href='/docs']")
  // The field for names is an editor.
  if (name !== undefined) await type(".cm-content", name)
  await type("input[placeholder='********'], input[placeholder=Token]", token)
  await press("button", "/^\\s*(Open )?Search/")
  await until("document.activeElement.matches('[role=dialog] input')")
  await write(path)
  const operation = await press("[role=option]", `/Method:\\s*get.*${escaped(path)}\\s*$/is`)
  await press("button", `/\\(get ${escaped(path)}\\)/`)
  await press("button", "/^\\s*Send\\s*Send get/")
  const answer = first("[role=dialog]", "/Status:\\s*\\d/")
  await until(`${answer} !== undefined`)
  return { home, operation, answer: String(await evaluate(`${answer}.innerText`)) }
}
