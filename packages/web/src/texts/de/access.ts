import type { Texts } from "../Texts.ts"

const plural = (count: number, one: string, other: string): string => `${count} ${count === 1 ? one : other}`

/** German texts about access levels, units (parts of a repository, such as issues) and the reasons for access. */
export const access: Texts["access"] = {
  levels: { none: "Kein Zugriff", read: "Lesen", write: "Schreiben", admin: "Verwalten", owner: "Eigentümer" },
  units: {
    "repo.code": "Code",
    "repo.issues": "Issues",
    "repo.pulls": "Pull-Requests",
    "repo.releases": "Releases",
    "repo.wiki": "Wiki",
    "repo.ext_wiki": "Externes Wiki",
    "repo.ext_issues": "Externer Issue-Tracker",
    "repo.projects": "Projekte",
    "repo.packages": "Pakete",
    "repo.actions": "Actions"
  },
  rules: {
    "repository.site-admin": "Administrator der Site",
    "repository.owner": "Eigentümer des Repositorys",
    "repository.organization-owner": "Eigentümer der Organisation",
    "repository.team-admin": "Team, das das Repository verwaltet",
    "repository.team": "Team",
    "repository.collaborator": "Mitarbeiter",
    "repository.public": "öffentliches Repository"
  },
  unit: "Bereich",
  level: "Stufe",
  who: "Wer",
  through: "Wodurch",
  team: (name) => `Team ${name}`,
  rule: "Regel",
  audiences: { anonymous: "Alle ohne Konto", "signed-in": "Alle angemeldeten Benutzer" },
  previewTitle: "Vorschau Ihrer Änderung",
  gains: "gewinnt",
  loses: "verliert",
  previewSummary: (gaining, losing) =>
    `${plural(gaining, "Eintrag", "Einträge")} mit mehr Zugriff, ${plural(losing, "Eintrag", "Einträge")} mit weniger.`,
  previewNone: "Niemand gewinnt oder verliert Zugriff.",
  previewMore: "Die Vorschau zeigt die erste Seite. Weitere Personen oder Repositorys können betroffen sein.",
  previewUnsaved: "Es ist noch nichts gespeichert.",
  from: (before, after) => `${before} → ${after}`,
  overall: "Insgesamt"
}
