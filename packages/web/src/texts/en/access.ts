const plural = (count: number, one: string, other: string): string => `${count} ${count === 1 ? one : other}`

/** English texts about access levels, units (parts of a repository, such as issues) and the reasons for access. */
export const access = {
  levels: {
    none: "No access",
    read: "Read",
    write: "Write",
    admin: "Administer",
    owner: "Owner"
  } as Readonly<Record<string, string>>,
  units: {
    "repo.code": "Code",
    "repo.issues": "Issues",
    "repo.pulls": "Pull requests",
    "repo.releases": "Releases",
    "repo.wiki": "Wiki",
    "repo.ext_wiki": "External wiki",
    "repo.ext_issues": "External issue tracker",
    "repo.projects": "Projects",
    "repo.packages": "Packages",
    "repo.actions": "Actions"
  } as Readonly<Record<string, string>>,
  rules: {
    "repository.site-admin": "administrator of the site",
    "repository.owner": "owner of the repository",
    "repository.organization-owner": "owner of the organization",
    "repository.team-admin": "team that administers the repository",
    "repository.team": "team",
    "repository.collaborator": "collaborator",
    "repository.public": "public repository"
  } as Readonly<Record<string, string>>,
  unit: "Unit",
  level: "Level",
  who: "Who",
  through: "Through",
  team: (name: string) => `team ${name}`,
  rule: "rule",
  audiences: { anonymous: "Everyone without an account", "signed-in": "Every signed-in user" },
  previewTitle: "Preview of your change",
  gains: "gains",
  loses: "loses",
  previewSummary: (gaining: number, losing: number) =>
    `${plural(gaining, "entry", "entries")} with more access, ${plural(losing, "entry", "entries")} with less.`,
  previewNone: "No user gains or loses access.",
  previewMore: "The preview shows the first page. More people or repositories may be affected.",
  previewUnsaved: "Nothing is saved yet.",
  from: (before: string, after: string) => `${before} → ${after}`,
  overall: "Overall"
}
