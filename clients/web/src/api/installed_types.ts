/** The message types of games that are installed as packages: their contract comes from the server, not with this page. */
import { createFileRegistry, fromBinary, type DescFile } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { file_brettwerk_v1_open_game } from "@brettwerk/client/v1/open_game";
import { register } from "./registry";

/** Bounds, which the server checks: this page has no types for them (buf.gen.yaml). */
const LEFT_OUT = "brettwerk/v1/limits.proto";

/** Makes the types of a contract known (GetGameResponse.contract). Raises an Error for one that cannot be read. */
export function registerContract(contract: Uint8Array): void {
  const known: DescFile[] = [file_brettwerk_v1_open_game];
  for (const proto of fromBinary(FileDescriptorSetSchema, contract).file) {
    proto.dependency = proto.dependency.filter((name) => name !== LEFT_OUT);
    const files = createFileRegistry(proto, (name) => known.find((file) => file.proto.name === name));
    const file = files.getFile(proto.name);
    if (file === undefined) throw new Error(`there is no file ${proto.name}`);
    known.push(file);
    register({ file });
  }
}
