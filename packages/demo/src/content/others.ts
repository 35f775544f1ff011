import type { DemoRepository } from "./Commit.ts"

/** The repositories of the demo world other than the main product. */
export const others: ReadonlyArray<DemoRepository> = [
  {
    owner: "brightwater",
    name: "dashboard",
    description: "Maps and charts of all stations",
    topics: ["typescript", "maps"],
    commits: [
      {
        by: "aiko",
        message: "Show the stations on a map",
        files: {
          "README.md": "# Dashboard\n\nMaps and charts of all stations. It reads from [Gauge](/brightwater/gauge).\n",
          "src/map.ts":
            'export const stations = async () => (await fetch("/stations")).json()\n\nexport const draw = (context: CanvasRenderingContext2D) => {\n  context.fillStyle = "#1769aa"\n  context.arc(10, 10, 4, 0, 2 * Math.PI)\n  context.fill()\n}\n',
          "index.html": "<!doctype html>\n<title>Dashboard</title>\n<canvas></canvas>\n"
        }
      },
      {
        by: "aiko",
        message: "Style the legend",
        files: { "src/map.css": ".legend {\n  padding: 1rem;\n  background: white;\n}\n" }
      }
    ]
  },
  {
    owner: "brightwater",
    name: "handbook",
    description: "How we work",
    topics: ["handbook"],
    commits: [
      {
        by: "lucia",
        message: "Start the handbook",
        files: {
          "README.md":
            "# Handbook\n\n- [Onboarding](onboarding.md)\n- [On call](on-call.md)\n\nQuestions? Open an issue, @lucia answers.\n",
          "onboarding.md": "# Onboarding\n\n1. Ask @mara for an account.\n2. Read this book.\n3. Fix a small issue.\n",
          "on-call.md": "# On call\n\nThe rota changes on Mondays at 09:00.\n"
        }
      }
    ]
  },
  {
    owner: "brightwater",
    name: "firmware",
    description: "The program of the sensors",
    private: true,
    topics: ["c", "embedded"],
    commits: [
      {
        by: "jonas",
        message: "Measure every minute",
        files: {
          "README.md": "# Firmware\n\nFor boards B3 and later.\n",
          "src/main.c":
            "#include <stdint.h>\n\nextern uint16_t read_level(void);\nextern void send(uint16_t level);\nextern void sleep_seconds(int seconds);\n\nint main(void) {\n  for (;;) {\n    send(read_level());\n    sleep_seconds(60);\n  }\n}\n"
        }
      }
    ]
  },
  {
    owner: "brightwater",
    name: "infra",
    description: "Servers, backups and alarms",
    private: true,
    topics: ["operations"],
    commits: [
      {
        by: "tunde",
        message: "Describe the servers",
        files: {
          "README.md": "# Infra\n\nOne file for each server.\n",
          "servers/gauge.yml": "name: gauge\nregion: north\nbackup: nightly\n"
        }
      }
    ]
  },
  {
    owner: "tidewater-labs",
    name: "forecast",
    description: "Predicts levels from rain",
    private: true,
    topics: ["research"],
    commits: [
      {
        by: "mara",
        message: "Fit the first model",
        files: {
          "README.md": "# Forecast\n\nNot for customers yet.\n",
          "fit.py": "def fit(rain):\n    return sum(rain)\n"
        }
      }
    ]
  },
  {
    owner: "mara",
    name: "notes",
    description: "Notes on rivers",
    topics: [],
    commits: [{ by: "mara", message: "Start", files: { "README.md": "# Notes\n\nThe Göta is high again.\n" } }]
  }
]
