import { createRequire } from "node:module"
import type octicons from "@primer/octicons"
import { type Html, html } from "../html/Html.ts"
import { type Asset, addressOf, assetOf } from "./Asset.ts"

/** The Octicons (MIT licence) that pages use. Add a name here to use another icon. */
const names = [
  "alert",
  "archive",
  "bell",
  "check",
  "check-circle",
  "chevron-down",
  "code",
  "comment",
  "copy",
  "download",
  "eye",
  "file",
  "file-directory-fill",
  "file-submodule",
  "file-symlink-file",
  "gear",
  "git-branch",
  "git-commit",
  "git-merge",
  "git-pull-request",
  "git-pull-request-closed",
  "globe",
  "history",
  "issue-closed",
  "issue-opened",
  "key",
  "law",
  "link",
  "location",
  "lock",
  "milestone",
  "mirror",
  "organization",
  "package",
  "pencil",
  "people",
  "person",
  "play",
  "plus",
  "pulse",
  "repo",
  "repo-forked",
  "rocket",
  "rss",
  "search",
  "shield-check",
  "sign-out",
  "smiley",
  "star",
  "tag",
  "trash",
  "verified",
  "workflow",
  "x",
  "x-circle"
] as const

/** The name of an icon. */
export type IconName = (typeof names)[number]

/** Reads the SVG symbols of the used icons, and drops the file with all Octicons from memory. */
const readSymbols = (): string => {
  const require = createRequire(import.meta.url)
  const file = require.resolve("@primer/octicons/build/data.json")
  const all = require(file) as typeof octicons
  delete require.cache[file]
  return names
    .map((name) => {
      const path = all[name]?.heights["16"]?.path
      if (path === undefined) throw new Error(`Octicons have no icon \`${name}\` of 16 pixels`)
      return `<symbol id="${name}" viewBox="0 0 16 16">${path}</symbol>`
    })
    .join("")
}

/** The file with all icons. Pages refer to an icon by its name. */
export const sprite: Asset = assetOf(
  "icons",
  "svg",
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${readSymbols()}</svg>`)
)

/** Renders an icon. Screen readers ignore it, because the text next to it has the same meaning. */
export const icon = (name: IconName, className = ""): Html =>
  html`<svg class="icon ${className}" width="16" height="16" aria-hidden="true" focusable="false"><use href="${addressOf(sprite)}#${name}"></use></svg>`
