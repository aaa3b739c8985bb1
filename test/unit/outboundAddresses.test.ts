import { describe, expect, it } from "@jest/globals";
import { isAddressAllowed, outboundFault, parseAddressRanges } from "../../domain/outboundAddresses.ts";

const closed = { allowedRanges: [], requireHttps: false };
const loopbackOpen = { allowedRanges: parseAddressRanges("127.0.0.0/8, ::1/128") ?? [], requireHttps: false };

describe("isAddressAllowed", () => {
  it.each(["93.184.215.14", "2606:2800:21f::1", "::ffff:93.184.215.14", "64:ff9b::5db8:d70e", "2002:5db8:d70e::1"])(
    "lets the public address %s through",
    (address) => expect(isAddressAllowed(address, closed)).toBe(true),
  );

  it.each([
    ...["127.0.0.1", "127.255.255.255", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    ...["169.254.169.254", "100.64.0.1", "198.18.0.1", "192.0.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"],
    ...[
      "::",
      "::1",
      "::127.0.0.1",
      "::ffff:127.0.0.1",
      "::ffff:a9fe:a9fe",
      "::ffff:0:10.0.0.1",
      "fe80::1",
      "fe80::1%eth0",
    ],
    ...["fc00::1", "fd12::1", "ff02::1", "fec0::1", "100::1", "2001:db8::1", "2001::1", "64:ff9b::10.0.0.1"],
    ...["64:ff9b:1::5db8:d70e", "2002:7f00:1::", "2002:a00:1::", "not an address", ""],
  ])("refuses %s", (address) => expect(isAddressAllowed(address, closed)).toBe(false));

  it("opens what the site has opened, in whatever form it is written, and nothing beside it", () => {
    expect(["127.0.0.1", "::ffff:127.9.9.9", "::1"].every((each) => isAddressAllowed(each, loopbackOpen))).toBe(true);
    expect(["10.0.0.1", "::2", "169.254.169.254"].some((each) => isAddressAllowed(each, loopbackOpen))).toBe(false);
  });
});

describe("outboundFault", () => {
  it.each([
    "https://example.com/hook?a=b",
    "http://example.com:8080/",
    "https://93.184.215.14/",
    "https://[2606:2800:21f::1]/",
  ])("finds nothing against %s", (url) => expect(outboundFault(url, closed)).toBeNull());

  it.each([
    ...[
      "http://127.0.0.1/",
      "http://2130706433/",
      "http://0x7f000001/",
      "http://0177.0.0.1/",
      "http://127.1/",
      "http://0/",
    ],
    ...["http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/", "http://[64:ff9b::7f00:1]/"],
    ...[
      "http://localhost/",
      "http://LOCALHOST./",
      "http://a.localhost:80/",
      "http://127.0.0.1./",
      "http://１２７.0.0.1/",
    ],
    ...["http://169.254.169.254/latest/meta-data", "https://10.0.0.8"],
  ])("refuses the private address in %s", (url) =>
    expect(outboundFault(url, closed)).toBe("must not lead to a private or reserved address"),
  );

  it("refuses other schemes, what is no URL, credentials, and http where the site asks for https", () => {
    for (const url of ["ftp://example.com", "file:///etc/passwd", "javascript:alert(1)", "example.com", ""])
      expect(outboundFault(url, closed)).toBe("must be an http or https URL");
    for (const url of ["https://user:secret@example.com/", "https://user@example.com/"])
      expect(outboundFault(url, closed)).toBe("must not carry a user name or password");
    expect(outboundFault("http://example.com", { ...closed, requireHttps: true })).toBe("must be an https URL");
    expect(outboundFault("https://example.com", { ...closed, requireHttps: true })).toBeNull();
  });

  it("lets a loopback receiver be used where the site has opened loopback", () => {
    expect(outboundFault("http://127.0.0.1:9000/", loopbackOpen)).toBeNull();
    expect(outboundFault("http://localhost:9000/", loopbackOpen)).toBeNull();
  });
});

describe("parseAddressRanges", () => {
  it("reads subnets and refuses anything else", () => {
    expect(parseAddressRanges("127.0.0.0/8,fd00::/8")).toHaveLength(2);
    for (const text of ["", "127.0.0.1", "127.0.0.0/33", "localhost", "127.0.0.0/8;"])
      expect(parseAddressRanges(text)).toBeNull();
  });
});
