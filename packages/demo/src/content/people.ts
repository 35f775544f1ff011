/** A user of the demo world. */
export interface DemoUser {
  readonly name: string
  readonly fullName: string
  readonly description: string
  readonly location: string
  /** The role that the user demonstrates, such as `member of the team backend`. The list of demo sign-ins shows it. */
  readonly role: string
}

/** The users of the demo world; `mara` owns the company's organizations. */
export const users = [
  {
    name: "mara",
    fullName: "Mara Lindqvist",
    description: "Runs engineering at Brightwater. Rivers, then software.",
    location: "Gothenburg",
    role: "owner of the organizations"
  },
  {
    name: "jonas",
    fullName: "Jonas Weber",
    description: "Backend of Gauge. Likes boring databases.",
    location: "Leipzig",
    role: "member of the team backend"
  },
  {
    name: "aiko",
    fullName: "Aiko Tanaka",
    description: "Maps, charts and the dashboard.",
    location: "Sapporo",
    role: "member of the team frontend"
  },
  {
    name: "tunde",
    fullName: "Tunde Adeyemi",
    description: "Keeps it running.",
    location: "Lagos",
    role: "member of the team operations"
  },
  {
    name: "lucia",
    fullName: "Lucía Romero",
    description: "Handbook, release notes, and the words on buttons.",
    location: "Valencia",
    role: "member of the team docs, which only writes documentation"
  },
  {
    name: "wren",
    fullName: "Wren Calloway",
    description: "Volunteer river monitor. Sends patches.",
    location: "Bristol",
    role: "external contributor without any permission in the company"
  }
] as const satisfies ReadonlyArray<DemoUser>

/** The name of a user of the demo world. */
export type UserName = (typeof users)[number]["name"]

/** A team of the organization `brightwater`. */
export interface DemoTeam {
  readonly name: string
  readonly description: string
  readonly units: Readonly<Record<string, string>>
  readonly members: ReadonlyArray<UserName>
  readonly repositories: ReadonlyArray<string>
}

const all = (level: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ["code", "issues", "pulls", "releases", "wiki", "packages", "actions"].map((unit) => [`repo.${unit}`, level])
  )

/** The teams of the organization `brightwater`. */
export const teams: ReadonlyArray<DemoTeam> = [
  {
    name: "backend",
    description: "The measuring service and its storage",
    units: all("write"),
    members: ["jonas", "tunde"],
    repositories: ["gauge", "firmware"]
  },
  {
    name: "frontend",
    description: "The dashboard",
    units: all("write"),
    members: ["aiko"],
    repositories: ["dashboard", "gauge"]
  },
  {
    name: "operations",
    description: "Servers, backups, releases",
    units: { ...all("write"), "repo.issues": "read" },
    members: ["tunde"],
    repositories: ["infra", "gauge", "dashboard"]
  },
  {
    name: "docs",
    description: "The handbook and the wikis",
    units: { "repo.code": "write", "repo.wiki": "write", "repo.issues": "write", "repo.pulls": "read" },
    members: ["lucia"],
    repositories: ["handbook"]
  }
]
