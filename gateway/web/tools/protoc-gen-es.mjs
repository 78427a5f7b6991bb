/** protoc-gen-es without what files say for other languages: every page that speaks the contract downloads its description. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { CodeGeneratorRequestSchema } from "@bufbuild/protobuf/wkt";

const request = fromBinary(CodeGeneratorRequestSchema, readFileSync(0));
for (const file of [...request.protoFile, ...request.sourceFileDescriptors]) file.options = undefined;
const plugin = fileURLToPath(new URL("../node_modules/.bin/protoc-gen-es", import.meta.url));
const input = toBinary(CodeGeneratorRequestSchema, request);
const { status, stdout } = spawnSync(plugin, { input, maxBuffer: 2 ** 28, stdio: ["pipe", "pipe", "inherit"] });
process.stdout.write(stdout);
process.exitCode = status ?? 1;
