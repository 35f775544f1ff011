import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type Html, html } from "../html/Html.ts"
import { type Asset, addressOf, assetOf } from "./Asset.ts"

/** The icons that pages use, by their names in Octicons (MIT). Add a name here to use another one. */
const names = [
  "alert",
  "archive",
  "bell",
  "check",
  "check-circle",
  "chevron-down",
  "code",
  "commit",
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
  "repo",
  "repo-forked",
  "rocket",
  "search",
  "shield-check",
  "sign-out",
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

const readIcon = (name: IconName): string => {
  const path = createRequire(import.meta.url).resolve(
    `@primer/octicons/build/svg/${name === "commit" ? "git-commit" : name}-16.svg`
  )
  const [, content = ""] = /^<svg[^>]*>(.*)<\/svg>\s*$/s.exec(readFileSync(path, "utf8")) ?? []
  return `<symbol id="${name}" viewBox="0 0 16 16">${content}</symbol>`
}

/** All icons as one file, of which each is used by its name. */
export const sprite: Asset = assetOf(
  "icons",
  "svg",
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${names.map(readIcon).join("")}</svg>`)
)

/** Shows an icon. It is decoration: the text next to it says the same. */
export const icon = (name: IconName, className = ""): Html =>
  html`<svg class="icon ${className}" width="16" height="16" aria-hidden="true" focusable="false"><use href="${addressOf(sprite)}#${name}"></use></svg>`
