/** The import rules of the project, checked by `npm run imports`. */
module.exports = {
  forbidden: [
    {
      name: "core-imports-core-zod-marked",
      severity: "error",
      from: { path: "^src/core/" },
      to: { pathNot: ["^src/core/", "node_modules/(zod|marked)/"] },
    },
    {
      name: "adapter-never-imports-another-adapter",
      severity: "error",
      from: { path: "^src/adapters/([^/]+)/" },
      to: { path: "^src/adapters/", pathNot: ["^src/adapters/$1/", "^src/adapters/shared/"] },
    },
    {
      name: "shared-imports-only-core",
      severity: "error",
      from: { path: "^src/adapters/shared/" },
      to: { path: "^src/", pathNot: ["^src/core/", "^src/adapters/shared/"] },
    },
    {
      name: "nobody-imports-cli",
      severity: "error",
      from: { pathNot: "^src/cli/" },
      to: { path: "^src/cli/" },
    },
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".js", ".mjs"],
      conditionNames: ["import", "node", "default", "types"],
    },
  },
};
