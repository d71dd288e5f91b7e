import { test, expect } from '@playwright/test'

test('the items of the basket', async ({ page }) => {
  await page.goto('/items')
  await page.select('select#items', 'blue')
  await page.locator('.item:has-text("Rose")').click()
  await expect(page.locator('.seg > .block')).toHaveCount(2)
  await page.select('.size >> nth=0', 'XL')
  await page.select('xpath=//select[count(option)>3]', 'items')
  await page.select('//table//tr[position()<3]/td[price>10]', '1')
  await page.select('text=^root', '2')
})
