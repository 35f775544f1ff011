import type { Texts } from "../Texts.ts"

/** German texts of the pages of releases, branches and tags. */
export const releases: Texts["releases"] = {
  releases: "Releases",
  newRelease: "Neues Release",
  publish: "Release veröffentlichen",
  noReleases: "Keine Releases. Ein Release verbindet ein Tag mit Notizen und Dateien zum Herunterladen.",
  draft: "Entwurf",
  prerelease: "Vorabversion",
  latest: "Neuestes",
  published: "veröffentlicht",
  files: "Downloads",
  sourceZip: "Quelltext (zip)",
  sourceTar: "Quelltext (tar.gz)",
  noNotes: "Keine Notizen.",
  tag: "Tag",
  tagHint: "Ein vorhandenes Tag, oder ein neues, das vom Ziel aus angelegt wird.",
  target: "Ziel",
  title: "Titel",
  notes: "Notizen",
  isPrerelease: "Dies ist eine Vorabversion",
  isDraft: "Als Entwurf speichern, den nur sieht, wer schreiben darf",
  branches: "Branches",
  noBranches: "Keine Branches. Der erste Push legt einen an.",
  isDefault: "Standard",
  isProtected: "Geschützt",
  updated: "geändert",
  tags: "Tags",
  noTags: "Keine Tags. Ein Tag markiert einen Commit, etwa den einer Version."
}
