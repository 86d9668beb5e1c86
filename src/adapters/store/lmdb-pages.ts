/**
 * LMDB's file format as far as it takes to know, without LMDB, that a file can be trusted to it, and to save what is left
 * when it cannot (mdb.c: `MDB_meta`, `MDB_page`, `MDB_node`). LMDB checks next to nothing of what it maps into memory; a
 * spoilt page ends the process with an assertion or a signal.
 */
import { readSync } from "node:fs";

/** The newer of the two descriptions that LMDB keeps of its own file. */
export interface Meta {
  format: number;
  pageSize: number;
  lastPage: number;
  transaction: bigint;
  /** Where the trees begin: the free pages', the records'. Undefined: an empty tree. */
  roots: { free: number | undefined; records: number | undefined };
}

/** A record as LMDB has it: a version, then the bytes. */
export interface RawRecord {
  key: Buffer;
  version: number;
  bytes: Buffer;
}

/** The format that lmdb-js writes (`MDB_DATA_VERSION`). */
export const FORMAT = 2;

/** Whether this machine's files have the fields where they are read here: 64 bits, little endian. */
export const layoutKnown = (): boolean => process.arch === "x64" || process.arch === "arm64";

const MAGIC = 0xbeefc0de;
const META = {
  magic: 24,
  format: 28,
  pageSize: 48,
  freeRoot: 88,
  root: 136,
  lastPage: 144,
  transaction: 152,
  end: 160,
};
const PAGE = { transaction: 8, flags: 18, lower: 20, upper: 22, end: 24 };
const NODE = { flags: 4, keySize: 6, end: 8 };
const BRANCH = 1;
const LEAF = 2;
/** The first page of a value that is too large for a leaf; how many they are stands in place of `lower` and `upper`. */
const LARGE = 4;
/** A mark that LMDB may leave beside the kind (`P_DIRTY_OVF`). */
const NO_KIND = 0x2000;
const ON_OTHER_PAGES = 1;
const OTHER_PAGES_END = 24;
const VERSION_END = 8;
/** What lmdb-js takes. */
const LONGEST_KEY = 1_978;
const NO_PAGE = 0xffff_ffff_ffff_ffffn;

/** Undefined unless both descriptions are there. */
export function readMeta(file: number): Meta | undefined {
  const first = metaAt(file, 0);
  const second = first && metaAt(file, first.pageSize);
  if (first === undefined || second === undefined) return undefined;
  return first.transaction > second.transaction ? first : second;
}

/** How many pages of both trees are not what they must be; what lies below them is not counted. */
export function countSpoiltPages(file: number, meta: Meta): number {
  const tree = new PageTree(file, meta);
  let values = 0;
  for (const root of [meta.roots.free, meta.roots.records]) {
    for (const page of tree.leaves(root)) {
      values += nodes(page).filter((node) => !tree.isValueSound(node)).length;
    }
  }
  return tree.spoilt + values;
}

/** All records on sound pages, in key order. Their bytes may be spoilt all the same. */
export function* readRecords(file: number, meta: Meta): Generator<RawRecord> {
  for (const page of new PageTree(file, meta).leaves(meta.roots.records)) {
    for (const node of nodes(page)) {
      const record = recordOf(node, (at, size) => readBytes(file, at * meta.pageSize + PAGE.end, size));
      if (record !== undefined) yield record;
    }
  }
}

class PageTree {
  spoilt = 0;
  readonly #file: number;
  readonly #meta: Meta;
  readonly #seen = new Set<number>();

  constructor(file: number, meta: Meta) {
    this.#file = file;
    this.#meta = meta;
  }

  *leaves(number: number | undefined): Generator<Buffer> {
    if (number === undefined) return;
    const page = this.#page(number);
    if (page === undefined) this.spoilt += 1;
    else if (kindOf(page) === LEAF) yield page;
    else for (const node of nodes(page)) yield* this.leaves(childOf(node));
  }

  /** Whether the value is on its own page, or the page where it begins has the head that it must have. */
  isValueSound(node: Buffer): boolean {
    if (!isElsewhere(node, 0)) return true;
    const number = numberAt(node, NODE.end + node.readUInt16LE(NODE.keySize));
    const head = readBytes(this.#file, number * this.#meta.pageSize, PAGE.end);
    if (head === undefined || kindOf(head) !== LARGE || !isHeadSound(head, number, this.#meta)) return false;
    return head.readUInt32LE(PAGE.lower) === pagesOf(node.readUInt32LE(), this.#meta);
  }

  #page(number: number): Buffer | undefined {
    if (number > this.#meta.lastPage || this.#seen.has(number)) return undefined;
    this.#seen.add(number);
    const page = readBytes(this.#file, number * this.#meta.pageSize, this.#meta.pageSize);
    return page !== undefined && isSound(page, { number, meta: this.#meta }) ? page : undefined;
  }
}

/** Whether its head is of that page and every entry lies within it. */
function isSound(page: Buffer, { number, meta }: { number: number; meta: Meta }): boolean {
  const kind = kindOf(page);
  const lower = page.readUInt16LE(PAGE.lower);
  const first = PAGE.end + page.readUInt16LE(PAGE.upper);
  if (!isHeadSound(page, number, meta)) return false;
  if ((kind !== BRANCH && kind !== LEAF) || lower === 0 || lower % 2 !== 0) return false;
  if (PAGE.end + lower > first) return false;
  for (let slot = PAGE.end; slot < PAGE.end + lower; slot += 2) {
    const at = PAGE.end + page.readUInt16LE(slot);
    if (at < first || nodeEnd(page, at, kind) > page.length) return false;
    if (kind === LEAF && isElsewhere(page, at) && !isInFile(page, at, meta)) return false;
  }
  return true;
}

const isHeadSound = (page: Buffer, number: number, meta: Meta): boolean =>
  numberAt(page, 0) === number && page.readBigUInt64LE(PAGE.transaction) <= meta.transaction;

const kindOf = (page: Buffer): number => page.readUInt16LE(PAGE.flags) & ~NO_KIND;

const isElsewhere = (page: Buffer, node: number): boolean =>
  (page.readUInt16LE(node + NODE.flags) & ON_OTHER_PAGES) !== 0;

/** Whether the pages on which a large value stands exist. */
function isInFile(page: Buffer, node: number, meta: Meta): boolean {
  const from = numberAt(page, node + NODE.end + page.readUInt16LE(node + NODE.keySize));
  return from + pagesOf(page.readUInt32LE(node), meta) <= meta.lastPage + 1;
}

const pagesOf = (size: number, meta: Meta): number => Math.ceil((PAGE.end + size) / meta.pageSize);

/** Infinity when not even the node's head is within the page. */
function nodeEnd(page: Buffer, at: number, kind: number): number {
  if (at + NODE.end > page.length) return Number.POSITIVE_INFINITY;
  const keyEnd = at + NODE.end + page.readUInt16LE(at + NODE.keySize);
  if (kind === BRANCH) return keyEnd;
  return keyEnd + (isElsewhere(page, at) ? OTHER_PAGES_END : page.readUInt32LE(at));
}

function nodes(page: Buffer): Buffer[] {
  const count = page.readUInt16LE(PAGE.lower) / 2;
  const slots = Array.from({ length: count }, (_, index) => PAGE.end + index * 2);
  return slots.map((slot) => page.subarray(PAGE.end + page.readUInt16LE(slot)));
}

/** Of 48 bits, which no file exceeds. */
const numberAt = (bytes: Buffer, at: number): number => bytes.readUIntLE(at, 6);

const childOf = (node: Buffer): number => node.readUInt32LE() + node.readUInt16LE(NODE.flags) * 2 ** 32;

function recordOf(
  node: Buffer,
  read: (page: number, size: number) => Buffer | undefined,
): RawRecord | undefined {
  const keyEnd = NODE.end + node.readUInt16LE(NODE.keySize);
  const size = node.readUInt32LE();
  const key = node.subarray(NODE.end, keyEnd);
  const data = isElsewhere(node, 0)
    ? read(numberAt(node, keyEnd), size)
    : node.subarray(keyEnd, keyEnd + size);
  if (data === undefined || data.length < VERSION_END) return undefined;
  if (key.length === 0 || key.length > LONGEST_KEY) return undefined;
  return {
    key,
    version: data.readDoubleLE(),
    bytes: data.subarray(VERSION_END),
  };
}

function metaAt(file: number, position: number): Meta | undefined {
  const bytes = readBytes(file, position, META.end);
  if (bytes?.readUInt32LE(META.magic) !== MAGIC) return undefined;
  return {
    format: bytes.readUInt16LE(META.format),
    pageSize: bytes.readUInt32LE(META.pageSize),
    lastPage: Number(bytes.readBigUInt64LE(META.lastPage)),
    transaction: bytes.readBigUInt64LE(META.transaction),
    roots: { free: rootAt(bytes, META.freeRoot), records: rootAt(bytes, META.root) },
  };
}

function rootAt(meta: Buffer, position: number): number | undefined {
  const root = meta.readBigUInt64LE(position);
  return root === NO_PAGE ? undefined : Number(root);
}

/** Undefined when the file ends before. */
function readBytes(file: number, position: number, size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(size);
  return readSync(file, bytes, 0, size, position) === size ? bytes : undefined;
}
