/** The output of version 1.29. */
export const outputOfVersion1 = {
  networks: {
    front: {
      driver: "bridge"
    }
  },
  services: {
    db: {
      healthcheck: {
        interval: "5s",
        retries: 7,
        start_period: "500ms",
        test: "pg_isready -U shop",
        timeout: "90s"
      },
      image: "postgres:16",
      networks: {
        front: null
      },
      restart: "on-failure:3",
      volumes: ["pg:/var/lib/postgresql/data:rw"]
    },
    migrate: {
      depends_on: {
        db: {
          condition: "service_started"
        }
      },
      healthcheck: {
        test: ["NONE"]
      },
      image: "shop/migrate:2"
    },
    web: {
      build: {
        args: {
          VERSION: "1"
        },
        context: "/repo/apps/web",
        dockerfile: "Dockerfile.prod",
        target: "run"
      },
      cap_drop: ["ALL"],
      command: 'npm run "start it"',
      container_name: "shop",
      depends_on: {
        db: {
          condition: "service_healthy"
        },
        migrate: {
          condition: "service_completed_successfully"
        }
      },
      deploy: {
        replicas: 1,
        resources: {
          limits: {
            cpus: 0.5,
            memory: "100M"
          }
        }
      },
      dns: ["1.1.1.1"],
      dns_search: ["example.com"],
      entrypoint: ["sh", "-c"],
      environment: {
        COUNT: 5,
        EMPTY: "",
        FROM: "bar",
        PRICE: "5 $ each",
        UNSET: null
      },
      expose: ["4000", 4001],
      extra_hosts: ["ledger:10.0.0.9"],
      group_add: ["video"],
      hostname: "shop",
      init: true,
      labels: {
        "traefik.enable": "true"
      },
      logging: {
        driver: "json-file",
        options: {
          "max-size": "1m"
        }
      },
      mem_limit: "100M",
      networks: {
        default: null,
        front: {
          aliases: ["shop"]
        }
      },
      ports: [
        {
          published: 8080,
          target: 80
        },
        "127.0.0.1:9000:9000/udp",
        "127.0.0.1:9001:9001/udp",
        {
          target: 3000
        }
      ],
      read_only: true,
      restart: "always",
      security_opt: ["no-new-privileges:true"],
      shm_size: "64m",
      stop_grace_period: "1m30s",
      stop_signal: "SIGINT",
      sysctls: {
        "net.core.somaxconn": "1024"
      },
      tmpfs: ["/run"],
      ulimits: {
        nofile: {
          hard: 2,
          soft: 1
        },
        nproc: 5
      },
      user: "1000",
      volumes: [
        "data:/data:ro",
        "/var/cache",
        {
          target: "/scratch",
          tmpfs: {
            size: 1000000
          },
          type: "tmpfs"
        },
        {
          source: "data",
          target: "/other",
          type: "volume",
          volume: {
            nocopy: true
          }
        }
      ],
      working_dir: "/srv"
    }
  },
  version: "3.9",
  volumes: {
    data: {},
    pg: {
      name: "custom"
    }
  }
}

/** The output of version 2.29. */
export const outputOfVersion2 = {
  name: "slipway",
  networks: {
    default: {
      name: "slipway_default",
      ipam: {}
    },
    front: {
      name: "slipway_front",
      driver: "bridge",
      ipam: {}
    }
  },
  services: {
    db: {
      command: null,
      entrypoint: null,
      healthcheck: {
        test: ["CMD-SHELL", "pg_isready -U shop"],
        timeout: "1m30s",
        interval: "5s",
        retries: 7,
        start_period: "500ms"
      },
      image: "postgres:16",
      networks: {
        front: null
      },
      restart: "on-failure:3",
      volumes: [
        {
          type: "volume",
          source: "pg",
          target: "/var/lib/postgresql/data",
          volume: {}
        }
      ]
    },
    migrate: {
      command: null,
      depends_on: {
        db: {
          condition: "service_started",
          required: true
        }
      },
      entrypoint: null,
      healthcheck: {
        disable: true
      },
      image: "shop/migrate:2",
      networks: {
        default: null
      }
    },
    web: {
      build: {
        context: "/repo/apps/web",
        dockerfile: "Dockerfile.prod",
        args: {
          VERSION: "1"
        },
        target: "run"
      },
      cap_drop: ["ALL"],
      command: ["npm", "run", "start it"],
      container_name: "shop",
      depends_on: {
        db: {
          condition: "service_healthy",
          required: true
        },
        migrate: {
          condition: "service_completed_successfully",
          required: true
        }
      },
      deploy: {
        replicas: 1,
        resources: {
          limits: {
            cpus: 0.5,
            memory: "104857600"
          }
        },
        placement: {}
      },
      dns: ["1.1.1.1"],
      dns_search: ["example.com"],
      entrypoint: ["sh", "-c"],
      environment: {
        COUNT: "5",
        EMPTY: "",
        FROM: "bar",
        PRICE: "5 $ each",
        UNSET: null
      },
      expose: ["4000", "4001"],
      extra_hosts: ["ledger=10.0.0.9"],
      group_add: ["video"],
      hostname: "shop",
      init: true,
      labels: {
        "traefik.enable": "true"
      },
      logging: {
        driver: "json-file",
        options: {
          "max-size": "1m"
        }
      },
      mem_limit: "104857600",
      networks: {
        default: null,
        front: {
          aliases: ["shop"]
        }
      },
      ports: [
        {
          mode: "ingress",
          target: 80,
          published: "8080",
          protocol: "tcp"
        },
        {
          mode: "ingress",
          host_ip: "127.0.0.1",
          target: 9000,
          published: "9000",
          protocol: "udp"
        },
        {
          mode: "ingress",
          host_ip: "127.0.0.1",
          target: 9001,
          published: "9001",
          protocol: "udp"
        },
        {
          mode: "ingress",
          target: 3000,
          protocol: "tcp"
        }
      ],
      read_only: true,
      restart: "always",
      security_opt: ["no-new-privileges:true"],
      shm_size: "67108864",
      stop_grace_period: "1m30s",
      stop_signal: "SIGINT",
      sysctls: {
        "net.core.somaxconn": "1024"
      },
      tmpfs: ["/run"],
      ulimits: {
        nofile: {
          soft: 1,
          hard: 2
        },
        nproc: 5
      },
      user: "1000",
      volumes: [
        {
          type: "volume",
          source: "data",
          target: "/data",
          read_only: true,
          volume: {}
        },
        {
          type: "volume",
          target: "/var/cache",
          volume: {}
        },
        {
          type: "tmpfs",
          target: "/scratch",
          tmpfs: {
            size: "1000000"
          }
        },
        {
          type: "volume",
          source: "data",
          target: "/other",
          volume: {
            nocopy: true
          }
        }
      ],
      working_dir: "/srv"
    }
  },
  volumes: {
    data: {
      name: "slipway_data"
    },
    pg: {
      name: "custom"
    }
  },
  "x-common": {
    restart: "always"
  }
}
