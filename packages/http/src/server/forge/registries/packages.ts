import { Packages } from "@slipway/forge/registries"
import { Effect } from "effect"
import { packageEndpoints } from "../../../api/forge/registries/packages.ts"
import { handle, shownAll } from "../entry/handle.ts"
import { showPackageFile, showPackagesTo } from "./showPackages.ts"

/** The handlers of packages. */
export const layerPackages = handle(
  packageEndpoints,
  {
    "package.list": ({ page, proof, query }) =>
      Packages.list(proof, { repository: query.repository, text: query.q, type: query.type }, page),
    "package.version.list": ({ page, params, proof }) => Packages.versions(proof, params, page),
    "package.delete": ({ params, proof }) => Packages.removeAll(proof, params),
    "package.version.read": ({ params, proof }) => Packages.read(proof, params, params.version),
    "package.version.delete": ({ params, proof }) => Packages.remove(proof, params, params.version),
    "package.version.file.list": ({ params, proof }) =>
      shownAll(Packages.files(proof, params, params.version), Effect.succeed(showPackageFile)),
    "package.version.read-latest": ({ params, proof }) => Packages.latest(proof, params),
    "package.link": ({ params, proof }) => Packages.link(proof, params, params.repo_name),
    "package.unlink": ({ params, proof }) => Packages.unlink(proof, params)
  },
  { showAllTo: showPackagesTo }
)
