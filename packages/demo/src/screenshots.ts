// Writes the screenshots of the docs from the demo world. Debian's Chromium is used, or the program in CHROMIUM.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { chromium, type Page } from "playwright-core"
import sharp from "sharp"
import { password } from "./clients.ts"
import { serveDemo } from "./start.ts"

/** A screenshot to take: its file name, the page, and the user who is signed in. */
interface Shot {
  readonly name: string
  readonly path: string
  readonly height?: number
  readonly colorScheme?: "dark" | "light"
  readonly width?: number
  /** A CSS selector of the element at the top of the image. */
  readonly scrollTo?: string
}

const shots: ReadonlyArray<Shot> = [
  { name: "repository", path: "/brightwater/gauge", height: 900 },
  { name: "pull-request", path: "/brightwater/gauge/pulls/8", scrollTo: ".thread", height: 900 },
  { name: "review", path: "/brightwater/gauge/pulls/8/files", height: 760 },
  { name: "issues", path: "/brightwater/gauge/issues", height: 720 },
  { name: "access", path: "/brightwater/gauge/settings/access?user=jonas&action=git.push", height: 1200 },
  { name: "run", path: "/brightwater/gauge/actions/runs/3", height: 480 },
  { name: "team", path: "/org/brightwater/teams/backend", height: 860, colorScheme: "dark" },
  { name: "phone", path: "/brightwater/gauge", width: 375, height: 760 }
]

const folder = join(import.meta.dirname, "../../../docs/images")
/** The maximum size of a screenshot file, in bytes. */
const largest = 150_000

const signIn = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}/user/login`)
  await page.getByLabel("Username or email").fill("mara")
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL(`${url}/`)
}

const demo = await serveDemo(0)
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"]
})
try {
  const context = await browser.newContext({ locale: "en", timezoneId: "UTC" })
  const page = await context.newPage()
  await signIn(page, demo.url)
  mkdirSync(folder, { recursive: true })
  for (const { colorScheme = "light", height = 800, name, path, scrollTo, width = 1200 } of shots) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    const response = await page.goto(`${demo.url}${path}`)
    if (response?.status() !== 200) throw new Error(`${path} answers with ${response?.status()}`)
    if (scrollTo !== undefined)
      await page.evaluate(`document.querySelector(${JSON.stringify(scrollTo)}).scrollIntoView()`)
    const image = await sharp(await page.screenshot())
      .webp({ quality: 82 })
      .toBuffer()
    if (image.length > largest) throw new Error(`${name} has ${image.length} bytes, more than ${largest}`)
    writeFileSync(join(folder, `${name}.webp`), image)
    process.stdout.write(`${name}.webp: ${Math.round(image.length / 1_000)} kB\n`)
  }
} finally {
  await browser.close()
  await demo.close()
}
