import type { LabelSettings } from "./Label.ts"

/** A label of a label set for new repositories. */
export type TemplateLabel = Pick<LabelSettings, "name" | "color" | "description" | "exclusive">

const one = (name: string, color: string, description: string): TemplateLabel => ({
  name,
  color,
  description,
  exclusive: name.includes("/")
})

/** The label sets for new repositories, by the names that clients use. */
export const labelTemplates: Readonly<Record<string, ReadonlyArray<TemplateLabel>>> = {
  // The names and colors of Gitea's set: clients look for them.
  Default: [
    one("bug", "ee0701", "Something is not working"),
    one("duplicate", "cccccc", "This issue or pull request already exists"),
    one("enhancement", "84b6eb", "New feature"),
    one("help wanted", "128a0c", "Contributions are welcome"),
    one("invalid", "e6e6e6", "Something is wrong"),
    one("question", "cc317c", "Further information is requested"),
    one("wontfix", "ffffff", "This will not be fixed")
  ],
  Advanced: [
    one("kind/bug", "d73a4a", "Something does not work as intended"),
    one("kind/documentation", "1d76db", "Improvements of the documentation"),
    one("kind/feature", "0e8a16", "A new feature or request"),
    one("kind/security", "9c27b0", "A security vulnerability"),
    one("priority/critical", "b60205", "Blocks all other work"),
    one("priority/high", "e11d21", "Should be done soon"),
    one("priority/medium", "fbca04", "Normal priority"),
    one("priority/low", "0e8a16", "Can wait"),
    one("state/needs more", "5319e7", "Needs more information"),
    one("state/confirmed", "0052cc", "Reproduced by others"),
    one("state/blocked", "880e4f", "Blocked by something else")
  ]
}
