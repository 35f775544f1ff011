import type { Chromium } from "@slipway/http/testing"

/** The credentials on a reference page. */
interface Credential {
  readonly name?: string
  readonly token: string
}

/** Goes from the page of a service to its reference, searches a read operation, runs it, and returns the response. */
export const tryReading = async (chromium: Chromium, base: string, path: string, { name, token }: Credential) => {
  const { click, evaluate, go, text, type, until } = chromium
  await go(base)
  const home = await text()
  await click("a[href='/docs']")
  await until("document.querySelector('#search') !== null")
  await type("#search", `get ${path}`)
  await click(".search button")
  await until("document.querySelector('.operations a') !== null")
  const found = `[...document.querySelectorAll(".operations li")].find((each) => each.querySelector("code").textContent === ${JSON.stringify(path)})`
  const operation = String(await evaluate(`${found}.textContent`))
  const id = String(await evaluate(`${found}.querySelector("a").hash.slice(1)`))
  await evaluate(`${found}.querySelector("a").click()`)
  const section = `document.getElementById(${JSON.stringify(id)})`
  await until(`${section}?.querySelector(".trial")?.hidden === false`)
  if (name !== undefined) await type("[id='credentials:name']", name)
  await type("[id='credentials:secret']", token)
  await evaluate(`${section}.querySelector(".trial summary").click()`)
  await evaluate(`${section}.querySelector(".trial button").click()`)
  await until(`/^Status: \\d/.test(${section}.querySelector("output").textContent)`)
  return { home, operation, answer: String(await evaluate(`${section}.querySelector("output").innerText`)) }
}
