import { create, toBinary } from "@bufbuild/protobuf";
import { FieldDescriptorProto_Label, FieldDescriptorProto_Type, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { GameSchema } from "@brettwerk/client/v1/games";
import { registerContract } from "../../src/api/installed_types";
import { packOptions, readOptions } from "../../src/api/options";
import { messageType } from "../../src/api/registry";

const label = FieldDescriptorProto_Label.OPTIONAL;
const file = {
  name: "ludo/ludo.proto",
  package: "ludo.v1",
  syntax: "proto3",
  dependency: ["brettwerk/v1/limits.proto", "brettwerk/v1/open_game.proto"],
  enumType: [
    {
      name: "LudoFirst",
      value: [
        { name: "LUDO_FIRST_UNSPECIFIED", number: 0 },
        { name: "LUDO_FIRST_RED", number: 1 },
        { name: "LUDO_FIRST_BLUE", number: 2 },
      ],
    },
  ],
  messageType: [
    {
      name: "LudoOptions",
      field: [
        { name: "dice", number: 1, type: FieldDescriptorProto_Type.UINT32, label },
        { name: "first", number: 2, type: FieldDescriptorProto_Type.ENUM, typeName: ".ludo.v1.LudoFirst", label },
        { name: "safe", number: 3, type: FieldDescriptorProto_Type.BOOL, label },
      ],
    },
    {
      name: "LudoPosition",
      field: [
        {
          name: "end",
          number: 1,
          type: FieldDescriptorProto_Type.MESSAGE,
          typeName: ".brettwerk.v1.OpenEnding",
          label,
        },
      ],
    },
  ],
};
const ludo = create(GameSchema, {
  optionsType: "ludo.v1.LudoOptions",
  options: [
    { key: "dice", values: { case: "number", value: { min: 1n, max: 3n, preset: 1n } } },
    { key: "first", values: { case: "choice", value: { preset: 1 } } },
    { key: "safe", values: { case: "switch", value: { preset: false } } },
  ],
});

test("options of an installed game can be set and read once its contract has come", () => {
  registerContract(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [file] })));
  const values = { dice: 3, first: 2, safe: true };
  const any = packOptions(ludo, values);
  expect([...any.value]).toEqual([8, 3, 16, 2, 24, 1]);
  expect(readOptions(ludo, any, 2)).toEqual(values);
  expect(messageType("ludo.v1.LudoPosition")).toBeDefined();
});

test("a contract that imports what nobody knows is refused", () => {
  const strange = { name: "odd.proto", syntax: "proto3", dependency: ["nowhere.proto"] };
  const set = create(FileDescriptorSetSchema, { file: [strange] });
  expect(() => registerContract(toBinary(FileDescriptorSetSchema, set))).toThrow();
});
