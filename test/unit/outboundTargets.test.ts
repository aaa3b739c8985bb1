import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { isCallable, parseSubnets, readTarget, RefusedTarget } from "../../domain/outboundTargets.ts";

function faultOf(url: string, opened = ""): string | null {
  try {
    readTarget(url, parseSubnets(opened) ?? []);
    return null;
  } catch (error) {
    return error instanceof RefusedTarget ? error.fault : String(error);
  }
}

describe("readTarget", () => {
  it.each([
    "http://127.0.0.1/",
    "http://127.0.0.1:8080/x",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.0.0.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://127.0.0.1./",
    "http://１２７.0.0.1/",
    "http://0/",
    "http://0.0.0.0/",
    "http://10.1.2.3/",
    "http://172.16.0.1/",
    "http://172.31.255.255/",
    "http://192.168.1.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://100.64.0.1/",
    "http://192.0.0.1/",
    "http://192.0.2.1/",
    "http://198.18.0.1/",
    "http://198.51.100.1/",
    "http://203.0.113.1/",
    "http://192.88.99.1/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[::]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::127.0.0.1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:0:127.0.0.1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[64:ff9b::a00:1]/",
    "http://[64:ff9b:1::8.8.8.8]/",
    "http://[2002:7f00:1::]/",
    "http://[2002:c0a8:101::1]/",
    "http://[2001::1]/",
    "http://[2001:db8::1]/",
    "http://[3fff::1]/",
    "http://[fc00::1]/",
    "http://[fd12:3456::1]/",
    "http://[fe80::1]/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[100::1]/",
    "http://[5f00::1]/",
    "http://[4000::1]/",
  ])("%s leads to no public address", (url) => expect(faultOf(url)).toBe("private_address"));

  it.each([
    "http://example.com/",
    "https://example.com:8443/a?b#c",
    "http://8.8.8.8/",
    "http://134744072/",
    "http://[2606:4700::1111]/",
    "http://[::ffff:8.8.8.8]/",
    "http://[64:ff9b::8.8.8.8]/",
    "http://[2002:808:808::1]/",
    "http://localhost/",
  ])("%s may be called, or at least looked up", (url) => expect(faultOf(url)).toBeNull());

  it.each([
    ["", "not_a_url"],
    ["example.com", "not_a_url"],
    ["http://", "not_a_url"],
    ["http://1.2.3.256/", "not_a_url"],
    ["http://[fe80::1%25eth0]/", "not_a_url"],
    ["ftp://example.com/", "not_http"],
    ["file:///etc/passwd", "not_http"],
    ["javascript:alert(1)", "not_http"],
    ["http://user@example.com/", "has_credentials"],
    ["http://:secret@example.com/", "has_credentials"],
  ])("%s is refused: %s", (url, fault) => expect(faultOf(url)).toBe(fault));

  it("opens what the operator opened, in every spelling, and nothing else", () => {
    for (const url of ["http://127.0.0.1/", "http://2130706433/", "http://[::ffff:127.0.0.1]/", "http://[::1]/"])
      expect(faultOf(url, "127.0.0.0/8, ::1")).toBeNull();
    for (const url of ["http://10.0.0.1/", "http://[::2]/", "http://[::127.0.0.1]/"])
      expect(faultOf(url, "127.0.0.0/8, ::1")).toBe("private_address");
  });
});

describe("isCallable", () => {
  it("takes what is no address for one that may not be called", () => {
    for (const address of ["", "localhost", "1.2.3", "fe80::1%eth0", "::g"])
      expect(isCallable(address, [])).toBe(false);
  });

  it("judges an IPv4 address alike in all the forms that carry it", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const hex = address
          .split(".")
          .map((part) => Number(part).toString(16).padStart(2, "0"))
          .join("");
        const plain = isCallable(address, []);
        const forms = [`::ffff:${address}`, `64:ff9b::${address}`, `2002:${hex.slice(0, 4)}:${hex.slice(4)}::1`];
        expect(forms.map((form) => isCallable(form, []))).toEqual([plain, plain, plain]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("parseSubnets", () => {
  it.each(["10.0.0.0/8", "127.0.0.1", "::1", "fd00::/8, 10.0.0.0/8"])("reads %s", (text) =>
    expect(parseSubnets(text)).not.toBeNull(),
  );
  it.each(["", "10.0.0.0/33", "10.0.0.0/", "localhost", "127.1", "10.0.0.0/8;::1", "::1/129", "10.0.0.0/8,"])(
    "refuses %j",
    (text) => expect(parseSubnets(text)).toBeNull(),
  );
});
