// Shows of the exports and access rules only those that let an address in. Without scripts, the page has all of them.
(() => {
  const form = document.getElementById("search");
  const rows = [...document.querySelectorAll(".access tbody tr")];
  const parts = [...document.querySelectorAll(".access")].map((table) => table.closest("details"));
  const groups = (address) => {
    if (address.includes(":")) {
      // Browsers disagree on an IPv4 address at the end with leading zeros.
      const last = address.slice(address.lastIndexOf(":") + 1);
      if (last.includes(".") && !groups(last)) {
        return null;
      }
      try {
        const [start, end] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::").map((half) => half.split(":").filter(Boolean));
        return end ? [...start, ...Array(8 - start.length - end.length).fill("0"), ...end] : start;
      } catch {
        return null;
      }
    }
    const bytes = address.split(".").map(Number);
    const isCanonical = bytes.join(".") === address && bytes.length === 4 && bytes.every((byte) => byte < 256);
    return isCanonical ? ["0", "0", "0", "0", "0", "ffff", ...[0, 2].map((at) => (bytes[at] * 256 + bytes[at + 1]).toString(16))] : null;
  };
  // As in plugins/module_utils/_internal/model/access.py: numbers of IPv6, in which an IPv4 address is the one mapped to it.
  const spanOf = (text) => {
    const [, address, length] = /^([0-9a-f:.]+)(?:[/]([0-9]{1,3}))?$/i.exec(text) || [];
    const found = address && groups(address);
    const bits = address && address.includes(":") ? 128 : 32;
    if (!found || Number(length || 0) > bits) {
      return null;
    }
    const size = 1n << BigInt(bits - Number(length || bits));
    const first = BigInt(`0x${found.map((group) => group.padStart(4, "0")).join("")}`) / size * size;
    return [first, first + size - 1n];
  };
  const search = () => {
    const text = form.address.value.trim();
    const span = spanOf(text);
    let shown = 0, unknown = 0;
    for (const row of rows) {
      const { first, last } = row.dataset;
      row.hidden = Boolean(span && first && (BigInt(first) > span[1] || BigInt(last) < span[0]));
      shown += !row.hidden;
      unknown += !first;
    }
    for (const part of parts) {
      (part.closest(".alert") || part).hidden = !part.querySelector("tbody tr:not([hidden])");
      part.open = part.open || Boolean(span);
    }
    form.found.value = !text ? "" : !span ? "Write an IP address, or a network such as 10.0.0.0/8."
      : `${shown} of ${rows.length} let it in${unknown ? `, ${unknown} of them perhaps` : ""}.`;
  };
  form.hidden = !rows.length;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", search);
  // A link can carry the address: report.html#address=10.1.2.3
  form.address.value = decodeURIComponent(/^#address=(.*)$/.exec(location.hash)?.[1] || "");
  search();
  // The text has no time, so that it changes only with the console. A server that tells none makes it now.
  const made = new Date(document.lastModified);
  if (Date.now() - made > 60000) {
    document.getElementById("made").textContent = made.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
  }
})();
