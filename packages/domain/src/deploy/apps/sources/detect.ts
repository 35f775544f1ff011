/** The build settings that were detected from the files of a repository. */
export interface DetectedBuild {
  readonly build_pack: "dockercompose" | "dockerfile" | "nixpacks" | "static"
  readonly dockerfile_location?: string
  readonly docker_compose_location?: string
  readonly ports_exposes?: string
}

/** The name of the file from which the port of an application is detected. */
export const dockerfileName = "Dockerfile"

const composeFiles = ["docker-compose.yaml", "docker-compose.yml", "compose.yaml", "compose.yml"]

/** The files by which Nixpacks recognizes the type of a project. */
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
 * Detects the build settings of a repository from the file names in its top folder; undefined if no project type is
 * recognized.
 *
 * @example
 * detectBuild(["README.md", "Dockerfile", "compose.yaml"]) // => { build_pack: "dockerfile", dockerfile_location: "/Dockerfile" }
 * detectBuild(["compose.yaml"]) // => { build_pack: "dockercompose", docker_compose_location: "/compose.yaml" }
 * detectBuild(["package.json", "index.html"]) // => { build_pack: "nixpacks" }
 * detectBuild(["index.html"]) // => { build_pack: "static" }
 * detectBuild(["README.md"]) // => undefined
 */
export const detectBuild = (names: ReadonlyArray<string>): DetectedBuild | undefined => {
  if (names.includes(dockerfileName)) return { build_pack: "dockerfile", dockerfile_location: "/Dockerfile" }
  const compose = composeFiles.find((name) => names.includes(name))
  if (compose !== undefined) return { build_pack: "dockercompose", docker_compose_location: `/${compose}` }
  if (packedFiles.some((name) => names.includes(name))) return { build_pack: "nixpacks" }
  return names.includes("index.html") ? { build_pack: "static" } : undefined
}

/**
 * Returns the first TCP port that the last stage of a Dockerfile exposes; undefined if it exposes none.
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

/** Adds the port that a Dockerfile exposes to the build settings that were detected with it. */
export const withExposedPort = (found: DetectedBuild, dockerfile: string | undefined): DetectedBuild => {
  const port = found.build_pack === "dockerfile" ? exposedPortOf(dockerfile ?? "") : undefined
  return port === undefined ? found : { ...found, ports_exposes: port }
}
