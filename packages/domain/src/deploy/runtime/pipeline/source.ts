import type { Application } from "../../apps/applications/Application.ts"
import { dockerfileText } from "../../apps/fields/docker.ts"
import { packerOf } from "../../apps/fields/packer.ts"
import type { CheckoutRequest } from "../../apps/sources/Sources.ts"
import type { PackerCommands, PackRequest } from "../../containers/packers/Packers.ts"

/** The build method for the files of a repository; all paths are relative to the root folder of the repository. */
export type Recipe =
  /** Builds with a Dockerfile: the file at `path`, or `text` from the settings of the application. */
  | { readonly _tag: "Dockerfile"; readonly folder: string; readonly path: string; readonly text: string | null }
  /** Serves the files with a web server, without a build. */
  | { readonly _tag: "Static"; readonly folder: string; readonly site: Site }
  /** Builds and runs the services of compose files: those in the custom command, or else `file`. */
  | {
      readonly _tag: "Compose"
      readonly folder: string
      readonly file: string
      readonly buildCommand: string
      readonly startCommand: string
    }
  /** Builds with a build-pack program; if `site` is set, a web server serves the output. */
  | {
      readonly _tag: "Packer"
      readonly packer: PackRequest["packer"]
      readonly folder: string
      readonly commands: PackerCommands
      readonly site: (Site & { readonly publish: string }) | null
    }

/** The settings of a web server for static files. */
export interface Site {
  readonly image: string
  readonly port: number
  /** Whether requests for missing files return the index page, for single-page applications. */
  readonly isSinglePage: boolean
}

/** The source of an application's image: an existing image, a Dockerfile, a service's compose text or a repository. */
export type Source =
  | { readonly _tag: "Image"; readonly reference: string }
  | { readonly _tag: "Dockerfile"; readonly text: string }
  /** The compose text of a service, which runs as this application. */
  | { readonly _tag: "ServiceText" }
  | {
      readonly _tag: "Repository"
      readonly wanted: Pick<CheckoutRequest, "repository" | "branch" | "lfs" | "submodules">
      readonly recipe: Recipe
    }

const withoutTag = (name: string): string => name.replace(/:[^/]*$/, "")

const referenceOf = (name: string, tag: string): string => {
  if (name.includes("@") || tag === "") return name
  return tag.startsWith("sha256:") ? `${name}@${tag}` : `${withoutTag(name)}:${tag}`
}

/**
 * Joins and normalizes the parts of a repository path, without slashes at both ends; empty is the root folder.
 *
 * @example
 * joinPaths("/apps/", "./web") // => "apps/web"
 * joinPaths("/", "") // => ""
 */
export const joinPaths = (...parts: ReadonlyArray<string>): string =>
  parts
    .flatMap((part) => part.split("/"))
    .filter((part) => part !== "" && part !== ".")
    .join("/")

/**
 * Returns the path of a repository folder within a local checkout.
 *
 * @example
 * joinDirectory("/tmp/checkout", "") // => "/tmp/checkout"
 * joinDirectory("/tmp/checkout", "web") // => "/tmp/checkout/web"
 */
export const joinDirectory = (directory: string, folder: string): string =>
  folder === "" ? directory : `${directory}/${folder}`

const usualSitePort = 80

/** Parses the first port of the setting `ports_exposes`; null if there is none. */
export const exposedPort = (exposes: string | null): number | null => {
  const [first = ""] = (exposes ?? "").split(",")
  return first.trim() === "" ? null : Number(first)
}

const recipeOf = ({ configuration }: Pick<Application, "configuration">): Recipe => {
  const folder = joinPaths(configuration.base_directory)
  const publish = joinPaths(configuration.publish_directory)
  const site: Site = {
    image: configuration.static_image,
    port: exposedPort(configuration.ports_exposes) ?? usualSitePort,
    isSinglePage: configuration.is_spa
  }
  const packer = packerOf(configuration.build_pack)
  if (packer !== null) {
    return {
      _tag: "Packer",
      packer,
      folder,
      commands: {
        install: configuration.install_command,
        build: configuration.build_command,
        start: configuration.start_command
      },
      site: configuration.is_static ? { ...site, publish } : null
    }
  }
  switch (configuration.build_pack) {
    case "static":
      return { _tag: "Static", folder: joinPaths(folder, publish), site }
    case "dockercompose":
      return {
        _tag: "Compose",
        folder,
        file: joinPaths(folder, configuration.docker_compose_location),
        buildCommand: configuration.docker_compose_custom_build_command,
        startCommand: configuration.docker_compose_custom_start_command
      }
    default: {
      const text = dockerfileText(configuration.dockerfile ?? "")
      const path = joinPaths(configuration.dockerfile_location)
      return { _tag: "Dockerfile", folder, path: path === "" ? "Dockerfile" : path, text: text === "" ? null : text }
    }
  }
}

/**
 * Returns the reference under which the built image of an application is pushed to a registry; null if it is not pushed.
 *
 * The tag is the one in the settings, or else the commit, or else `latest`. Images of compose files are not pushed
 * under such a reference, because the files name their images.
 *
 * @example
 * pushedReference({ variant: "public", configuration: { build_pack: "dockerfile", docker_registry_image_name: "registry.example/shop", docker_registry_image_tag: "" } }, "0a1b2c3") // => "registry.example/shop:0a1b2c3"
 * pushedReference({ variant: "dockerimage", configuration: { build_pack: null, docker_registry_image_name: "nginx", docker_registry_image_tag: "1" } }, "") // => null
 */
export const pushedReference = (
  {
    configuration,
    variant
  }: {
    readonly variant: Application["variant"]
    readonly configuration: Pick<
      Application["configuration"],
      "build_pack" | "docker_registry_image_name" | "docker_registry_image_tag"
    >
  },
  commit: string
): string | null => {
  const { build_pack: pack, docker_registry_image_name: name, docker_registry_image_tag: tag } = configuration
  if (variant === "dockerimage" || variant === "service" || pack === "dockercompose" || !name) return null
  return `${withoutTag(name.replace(/@.*$/, ""))}:${tag || commit || "latest"}`
}

/** Returns the source of an application's image, by the settings of the application. */
export const sourceOf = (application: Pick<Application, "configuration" | "variant">): Source => {
  const { configuration, variant } = application
  const { docker_registry_image_name: name, docker_registry_image_tag: tag, dockerfile } = configuration
  if (variant === "service") return { _tag: "ServiceText" }
  if (variant === "dockerimage") return { _tag: "Image", reference: referenceOf(name ?? "", tag ?? "latest") }
  if (variant === "dockerfile") return { _tag: "Dockerfile", text: dockerfileText(dockerfile ?? "") }
  return {
    _tag: "Repository",
    wanted: {
      repository: configuration.git_repository ?? "",
      branch: configuration.git_branch ?? "",
      submodules: configuration.is_git_submodules_enabled,
      lfs: configuration.is_git_lfs_enabled
    },
    recipe: recipeOf(application)
  }
}
