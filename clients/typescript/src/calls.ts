/** The calls of PlayService, typed by their methods' names. */
import { create, type DescMessage, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { CallSchema, PlayService, type Answer, type Call } from "./generated/brettwerk/v1/play_pb";

type Methods = typeof PlayService.method;

/** The name of a method with one request and one response. */
export type MethodName = {
  [Name in keyof Methods]: Methods[Name]["methodKind"] extends "unary" ? Name : never;
}[keyof Methods];

/** The fields of a method's request; the request id is added. */
export type RequestOf<Name extends MethodName> = Omit<
  Extract<MessageInitShape<Methods[Name]["input"]>, { $typeName?: never }>,
  "requestId"
>;

/** A method's response. */
export type ResponseOf<Name extends MethodName> = MessageShape<Methods[Name]["output"]>;

/** Returns whether a method changes something, so that a repeat needs its request id. */
export function isWrite(name: MethodName): boolean {
  const input: DescMessage = PlayService.method[name].input;
  return input.fields.some((field) => field.name === "request_id");
}

/** Returns a new request id: 22 random characters. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** Returns the call of a method. `requestId` is used by writes only. */
export function makeCall<Name extends MethodName>(name: Name, request: RequestOf<Name>, requestId: string): Call {
  const input: DescMessage = PlayService.method[name].input;
  const fields: Record<string, unknown> = { ...request };
  if (isWrite(name)) fields["requestId"] = requestId;
  // The cases of Call are the method names; protobuf-es has no type that says so.
  return create(CallSchema, { request: { case: name, value: create(input, fields) } as Call["request"] });
}

/** Returns the response to a method, or undefined when the answer is to another one. */
export function responseTo<Name extends MethodName>(name: Name, answer: Answer): ResponseOf<Name> | undefined {
  return answer.response.case === name ? (answer.response.value as ResponseOf<Name>) : undefined;
}
