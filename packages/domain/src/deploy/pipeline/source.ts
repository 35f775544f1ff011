import type { Application } from "../applications/Application.ts"
import { dockerfileText } from "../applications/fields/docker.ts"

/** Where the image of an application comes from. */
export type Source =
  | { readonly _tag: "Image"; readonly reference: string }
  | { readonly _tag: "Dockerfile"; readonly text: string }
  | { readonly _tag: "Unsupported"; readonly because: string }

const referenceOf = (name: string, tag: string): string => {
  if (name.includes("@") || tag === "") return name
  return tag.startsWith("sha256:") ? `${name}@${tag}` : `${name}:${tag}`
}

/** Returns where the image of an application comes from. */
export const sourceOf = ({ configuration, variant }: Pick<Application, "configuration" | "variant">): Source => {
  const { docker_registry_image_name: name, docker_registry_image_tag: tag, dockerfile } = configuration
  if (variant === "dockerimage") return { _tag: "Image", reference: referenceOf(name ?? "", tag ?? "latest") }
  if (variant === "dockerfile") return { _tag: "Dockerfile", text: dockerfileText(dockerfile ?? "") }
  return { _tag: "Unsupported", because: "this version can't deploy from git repositories yet" }
}
