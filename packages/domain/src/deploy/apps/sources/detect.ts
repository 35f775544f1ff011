/** The build settings that the files of a repository suggest. */
export interface DetectedBuild {
  readonly build_pack: "dockercompose" | "dockerfile" | "nixpacks" | "static"
  readonly dockerfile_location?: string
  readonly docker_compose_location?: string
}

const composeFiles = ["docker-compose.yaml", "docker-compose.yml", "compose.yaml", "compose.yml"]

/** Files that Nixpacks recognizes a project by. */
const packedFiles = [
  "package.json",
  "requirements.txt",
  "pyproject.toml",
  "go.mod",
  "Cargo.toml",
  "Gemfile",
  "composer.json",
  "pom.xml"
]

/**
 * Returns the build settings for a repository by the names of its top files; undefined if none is recognized.
 *
 * @example
 * detectBuild(["README.md", "Dockerfile", "compose.yaml"]) // => { build_pack: "dockerfile", dockerfile_location: "/Dockerfile" }
 * detectBuild(["compose.yaml"]) // => { build_pack: "dockercompose", docker_compose_location: "/compose.yaml" }
 * detectBuild(["package.json", "index.html"]) // => { build_pack: "nixpacks" }
 * detectBuild(["index.html"]) // => { build_pack: "static" }
 * detectBuild(["README.md"]) // => undefined
 */
export const detectBuild = (names: ReadonlyArray<string>): DetectedBuild | undefined => {
  if (names.includes("Dockerfile")) return { build_pack: "dockerfile", dockerfile_location: "/Dockerfile" }
  const compose = composeFiles.find((name) => names.includes(name))
  if (compose !== undefined) return { build_pack: "dockercompose", docker_compose_location: `/${compose}` }
  if (packedFiles.some((name) => names.includes(name))) return { build_pack: "nixpacks" }
  return names.includes("index.html") ? { build_pack: "static" } : undefined
}

/**
 * Returns the first port that the last stage of a Dockerfile exposes over TCP; undefined without one.
 *
 * @example
 * exposedPortOf("FROM node AS build\nEXPOSE 9000\nFROM nginx\nEXPOSE 53/udp 8080/tcp\n") // => "8080"
 * exposedPortOf("FROM nginx\nEXPOSE $PORT\n") // => undefined
 */
export const exposedPortOf = (dockerfile: string): string | undefined => {
  let port: string | undefined
  for (const line of dockerfile.split("\n")) {
    if (/^\s*FROM\s/i.test(line)) port = undefined
    const [, exposed = ""] = /^\s*EXPOSE\s+(.*)$/i.exec(line) ?? []
    port ??= exposed
      .trim()
      .split(/\s+/)
      .map((each) => /^(\d{1,5})(?:\/tcp)?$/i.exec(each)?.[1])
      .find((each) => each !== undefined && Number(each) >= 1 && Number(each) <= 65_535)
  }
  return port
}
