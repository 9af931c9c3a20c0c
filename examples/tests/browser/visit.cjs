// Visits the page of `live`, and writes what it saw as JSON.
const { chromium } = require("playwright-core");

// What keeps the browser to this test: no services of its own.
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

async function visit(url) {
  const home = __dirname;
  const env = { ...process.env, LD_LIBRARY_PATH: home + "/lib", FONTCONFIG_PATH: home, HOME: home };
  const browser = await chromium.launch({ executablePath: home + "/chromium", args, env });
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 760 } });
    const faults = [];
    page.on("pageerror", fault => faults.push(String(fault)));
    await page.goto(url);
    const asleep = await page.locator("#ticket").isHidden();
    await page.locator("textarea").fill("It prints twice.");
    await page.getByRole("button").click();
    await page.waitForSelector("[data-end]");
    await page.screenshot({ path: home + "/page.png" });
    const places = await page.locator("[data-path]").evaluateAll(all => all.map(at => ({
      path: at.dataset.path, state: at.dataset.state, paints: Number(at.dataset.paints ?? 0),
      text: at.children.length ? "" : at.textContent, shown: at.checkVisibility(),
    })));
    const ticket = page.locator("#ticket");
    return {
      asleep, places, faults, report: await page.locator("textarea").inputValue(),
      end: await ticket.getAttribute("data-end"), foot: await ticket.locator("footer").innerText(),
    };
  } finally {
    await browser.close();
  }
}

visit(process.argv[2]).then(seen => console.log(JSON.stringify(seen)), fault => { console.error(fault); process.exit(1); });
