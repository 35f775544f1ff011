import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { PodmanService } from "@slipway/docker/testing"
import { Effect } from "effect"
import { copyPrograms } from "./programs.ts"

const configuration = `events {}
http {
  types { text/html html; text/css css; }
  include /etc/nginx/conf.d/*.conf;
}
`

/** Builds the image of the web server for static sites from Debian's nginx, since no registry is available. */
export const buildNginx = async ({ image, podman }: PodmanService): Promise<void> => {
  const context = mkdtempSync(join(tmpdir(), "slipway-nginx-"))
  try {
    const program = ["/usr/sbin/nginx", "/usr/bin/nginx"].find((path) => existsSync(path))
    if (program === undefined) throw new Error("nginx isn't installed: apt-get install nginx")
    copyPrograms([program], join(context, "root"))
    const accounts = "root:x:0:0::/:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n"
    writeFileSync(join(context, "nginx.conf"), configuration)
    writeFileSync(join(context, "passwd"), accounts)
    writeFileSync(join(context, "group"), "root:x:0:\nnogroup:x:65534:\n")
    writeFileSync(
      join(context, "Dockerfile"),
      `FROM ${image}
COPY root /
COPY passwd group /etc/
COPY nginx.conf /etc/nginx/nginx.conf
RUN mkdir -p /usr/share/nginx/html /etc/nginx/conf.d /var/log/nginx /var/lib/nginx /run
CMD ["${program}", "-g", "daemon off; error_log stderr; pid /run/nginx.pid;"]
`
    )
    await Effect.runPromise(podman("build", "--tag", "docker.io/library/nginx:alpine", context))
  } finally {
    rmSync(context, { recursive: true })
  }
}
