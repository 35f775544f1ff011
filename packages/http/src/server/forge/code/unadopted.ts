import { Unadopted } from "@slipway/forge/code"
import { unadoptedEndpoints } from "../../../api/forge/code/unadopted.ts"
import { handle } from "../entry/handle.ts"

const which = ({ reponame, username }: { readonly reponame: string; readonly username: string }) => ({
  owner: username,
  name: reponame
})

/** The handlers of unadopted git repositories. */
export const layerUnadopted = handle(unadoptedEndpoints, {
  "admin.unadopted.list": ({ page, proof, query }) => Unadopted.list(proof, query.pattern ?? "", page),
  "admin.unadopted.adopt": ({ params, proof }) => Unadopted.adopt(proof, which(params)),
  "admin.unadopted.delete": ({ params, proof }) => Unadopted.remove(proof, which(params))
})
